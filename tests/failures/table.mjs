// What each function does when something fails: the table in docs/errors.md. It runs in Node and in browsers.

/** The columns: the failure, and its path on the server (see server.mjs). */
export const FAULTS = {
  "HTTP 401": "/401",
  "HTTP 429": "/429",
  "HTTP 502, an HTML page": "/502",
  "connection refused": undefined,
  "connection lost": "/cut",
  "error event": "/error-event",
  refusal: "/refusal",
  abort: "/stall",
  "an HTML page": "/junk",
};

async function drain(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The rows: each function, called with a pending response. Returns its result, or an `outcome` for the table. */
function functionsOf(respool, { toUIMessageStream, toAgUiEvents }) {
  const converter = (signal) => new respool.ResponseConverter("auto", { signal });
  return {
    streamDeltas: (response, signal) => drain(respool.streamDeltas(response, { signal })),
    collect: (response, signal) => respool.collect(response, { signal }),
    async tap(response, signal) {
      const passing = await response.catch(() => undefined);
      if (passing === undefined) return { outcome: "– (`fetch` throws)" };
      const tapped = respool.tap(passing, { signal });
      tapped.response.text().catch(() => {}); // some reader must consume the response
      return tapped.result;
    },
    processStream: (response, signal) => drain(respool.processStream({}, response, { signal })),
    processAsync: (response, signal) => respool.processAsync({}, response, { signal }),
    convertResponse: (response, signal) => converter(signal).convertResponse(response),
    convertStreamingResponse: (response, signal) => drain(converter(signal).convertStreamingResponse({}, undefined, response)),
    async toUIMessageStream(response, signal) {
      let failure;
      const onError = (error) => {
        failure ??= error;
        return "failed";
      };
      const chunks = await drain(iterate(toUIMessageStream(response, { signal, onError })));
      const errors = chunks.filter(({ type }) => type === "error");
      if (errors.length > 1) throw new Error(`${errors.length} error chunks`);
      if (chunks.some(({ type }) => type === "abort")) return { outcome: "an `abort` chunk" };
      return failure ? { outcome: `an \`error\` chunk for ${nameOf(failure)}`, failure } : chunks;
    },
    async toAgUiEvents(response, signal) {
      let failure;
      const onError = (error) => {
        failure = error;
        return "failed";
      };
      const events = await drain(toAgUiEvents(response, { threadId: "t", runId: "r", signal, onError }));
      const { type, code, outcome } = events.at(-1);
      if (type === "RUN_ERROR") return { outcome: `\`RUN_ERROR\` with \`${code}\``, failure };
      return outcome.type === "success" ? events : { outcome: `the outcome \`${outcome.type}\`` };
    },
    async runRequest(response, signal) {
      const request = respool.runRequest({ transport: () => response, api: "openai-chat", messages: [], signal });
      const { failure } = await request.result();
      return { outcome: `the failure \`${failure.code}\``, failure };
    },
  };
}

/** Some browsers can't iterate streams. */
async function* iterate(stream) {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

const nameOf = ({ name, code, status }) => {
  const detail = status ?? (code === undefined || typeof code === "number" ? undefined : `\`${code}\``);
  return [name && name !== "Error" ? `\`${name}\`` : undefined, detail].filter((part) => part !== undefined).join(" ");
};

/**
 * Runs all cells. `url` is the server's address, `closed` one at which nothing listens. Each cell has the text for the
 * table, and the error, if one was thrown.
 *
 * `adapters` are the exports of `respool/ai-sdk` and `respool/ag-ui`.
 *
 * @returns {Promise<{ name: string, cells: { fault: string, text: string, error?: any }[] }[]>}
 */
export async function runTable(respool, adapters, { url, closed }) {
  const rows = [];
  for (const [name, call] of Object.entries(functionsOf(respool, adapters))) {
    const cells = [];
    for (const [fault, path] of Object.entries(FAULTS))
      cells.push({ fault, ...(await runCell(call, fault, path ? url + path : closed)) });
    rows.push({ name, cells });
  }
  return rows;
}

async function runCell(call, fault, address) {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("the user has left");
  const response = fetch(address, { method: "POST", signal });
  try {
    const pending = call(response, signal);
    if (fault === "abort") response.then(() => controller.abort(reason));
    const value = await pending;
    if (value?.outcome !== undefined) return { text: value.outcome, error: value.failure };
    if (!JSON.stringify(value).includes("I can't.")) throw new Error(`nothing failed: ${JSON.stringify(value)}`);
    return { text: "returned" };
  } catch (error) {
    if (error === reason) return { text: "the signal's reason", error };
    const text = nameOf(error);
    return { text: error.cause === reason ? `${text} with the signal's reason as \`cause\`` : text, error };
  }
}

/** Returns the table in Markdown. */
export function toMarkdown(rows) {
  const faults = Object.keys(FAULTS);
  const lines = [
    `| | ${rows.map(({ name }) => `\`${name}\``).join(" | ")} |`,
    `|${"---|".repeat(rows.length + 1)}`,
    ...faults.map((fault, at) => `| ${fault} | ${rows.map(({ cells }) => cells[at].text).join(" | ")} |`),
  ];
  return `${lines.join("\n")}\n`;
}
