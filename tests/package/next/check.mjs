// Next: a route for its edge runtime and one for Node, built and served with its defaults.
import { spawn } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../../scripts/run-command.mjs";

const APP = dirname(fileURLToPath(import.meta.url));
/** The project that has installed the package, and a folder where Next is installed. */
const [, , folder, project] = process.argv;
const next = join(project, "node_modules", "next", "dist", "bin", "next");
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

for (const name of ["app", "next.config.mjs"]) cpSync(join(APP, name), join(project, name), { recursive: true });
for (const name of ["respool", "@opentelemetry"]) {
  const copy = join(project, "node_modules", name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(folder, "node_modules", name), copy, { recursive: true });
}
for (const name of ["suite", "behaviour.mjs", "bodies.mjs", "expect.mjs", "fixtures.mjs", "subpaths.mjs"]) {
  cpSync(join(folder, name), join(project, name), { recursive: true });
}
await runCommand(process.execPath, [next, "build"], { cwd: project, env });
const counts = await served(async (origin) => [await answerOf(`${origin}/edge`), await answerOf(`${origin}/node`)]);
console.log(`ok: ${counts.reduce((sum, count) => sum + count)} checks`);

/** Runs `work` while the project is served. */
async function served(work) {
  const server = spawn(process.execPath, [next, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: project, env });
  try {
    return await work(await originOf(server));
  } finally {
    server.kill();
  }
}

/** Returns the origin that the server prints. */
function originOf(server) {
  return new Promise((resolve, reject) => {
    let output = "";
    const take = (text) => {
      output += text;
      const found = output.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found !== null && /Ready/.test(output)) resolve(found[0]);
    };
    server.stdout.setEncoding("utf8").on("data", take);
    server.stderr.setEncoding("utf8").on("data", take);
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`next start ended before it was ready:\n${output}`)));
  });
}

async function answerOf(address) {
  const response = await fetch(address);
  const text = await response.text();
  const found = text.match(/^ok: (\d+) checks$/);
  if (found === null) throw new Error(`${address}: ${text}`);
  return Number(found[1]);
}
