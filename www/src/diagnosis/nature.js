// Describes bytes in which no response of a model was found.
import { parsePartialJson } from "respool";
import { parseEvent } from "../capture/event.js";
import { asObject } from "../capture/values.js";
import { clip, code, countOf, link, sentence, tailOf } from "./piece.js";
import { unwrapAdvice } from "./wrapping.js";

/** @import { Recording } from "../session/recording.js" */
/** @import { Verdict } from "./verdict.js" */

const PROBE = 4096;
const decoder = new TextDecoder();

/** The first bytes of files that aren't text. @type {[name: string, bytes: number[]][]} */
const SIGNATURES = [
  ["compressed with zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["a JPEG image", [0xff, 0xd8, 0xff]],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46]],
  ["a WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
];

/** Returns the words of an error page or a text on one line; "" if it can't be text. @param {Recording} recording */
export function bodyWords(recording) {
  if (isBinary(recording.bytes)) return "";
  const text = probe(recording);
  const html = titleOf(text);
  if (html !== undefined) return html;
  return clip(
    text
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
    160,
  );
}

/** @param {Recording} recording */
const probe = (recording) => decoder.decode(recording.bytes.subarray(0, PROBE));

/** @param {string} text @returns {string | undefined} undefined if this isn't HTML */
function titleOf(text) {
  if (!/^\s*(<!doctype html|<html|<head|<body|<!--)/i.test(text)) return undefined;
  const words = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? /<h1[^>]*>([^<]*)/i.exec(text)?.[1] ?? "";
  return words.replace(/\s+/g, " ").trim();
}

/** Whether the bytes are probably binary. @param {Uint8Array} bytes */
function isBinary(bytes) {
  const start = bytes.subarray(0, PROBE);
  const controls = start.filter((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 0x1b).length;
  const invalid = [...decoder.decode(start)].filter((character) => character === "\ufffd").length;
  return controls + invalid > start.length / 20;
}

/** @param {Recording} recording @returns {Verdict} */
export function natureVerdict(recording) {
  const { bytes, frames } = recording;
  if (frames.length === 0) return emptyVerdict(bytes.length);
  const text = probe(recording);
  const title = titleOf(text);
  if (title !== undefined) return pageVerdict(title);
  const signature = SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (signature || (isBinary(bytes) && recording.framing !== "messages")) return binaryVerdict(bytes.length, signature?.[0]);
  if (/^\s*<\?xml|^\s*<[a-z]+[\s>]/i.test(text)) return xmlVerdict(text);
  if (recording.framing === "body" || (frames.length === 1 && /^\s*[{[]/.test(text))) return bodyVerdict(recording);
  return eventsVerdict(recording, text);
}

/** @param {number} length @returns {Verdict} */
function emptyVerdict(length) {
  return {
    tone: "bad",
    title: sentence(length === 0 ? "The capture is empty: it has no bytes." : "The capture is empty: it has only white space."),
    findings: [],
    advice: [
      "Look at the status and the headers: curl -i shows them, also if there is no body.",
      "With curl, use -N and -sS: -N writes bytes as they arrive, and -S shows errors, which -s alone hides.",
      "If the file is written by your own code, check that it waits until the response ends.",
    ],
  };
}

/** @param {string} title @returns {Verdict} */
function pageVerdict(title) {
  return {
    tone: "bad",
    title: sentence(link("An HTML page", 0), " instead of a response", ...(title ? [": ", code(clip(title, 120))] : []), "."),
    findings: [],
    advice: [
      /\b50[0234]\b|gateway|unavailable|timeout/i.test(title)
        ? "A proxy or gateway sent this page, because the server behind it failed or took too long. Look into its log, and retry."
        : "A website, a login page or a proxy answered, not the API. Check the base URL and the path.",
      "curl -i shows the status and the headers; server and via name who answered.",
    ],
  };
}

/** @param {number} length @param {string} [kind] @returns {Verdict} */
function binaryVerdict(length, kind) {
  return {
    tone: "bad",
    title: sentence(link("Binary data", 0), kind ? `, ${kind}` : "", ` (${countOf(length, "byte")}): neither events nor JSON.`),
    findings: [],
    advice: [
      "If the response is compressed, capture it with curl --compressed, or without an accept-encoding header.",
      "gzip and AWS's binary event streams are read as they are, if they are complete.",
    ],
  };
}

/** @param {string} text @returns {Verdict} */
function xmlVerdict(text) {
  const message = /<Message>([^<]*)/i.exec(text)?.[1] ?? /<Code>([^<]*)/i.exec(text)?.[1];
  return {
    tone: "bad",
    title: sentence(
      link("An XML document", 0),
      " instead of a response",
      ...(message ? [": ", code(clip(message, 160))] : []),
      ".",
    ),
    findings: [],
    advice: ["Storage services and gateways answer in XML. Check the URL and the signature of the request."],
  };
}

/** @param {Recording} recording @returns {Verdict} */
function bodyVerdict(recording) {
  const event = parseEvent(recording.bytesOf(recording.frames[0]));
  if (!event.isJson && parsePartialJson(event.data).state === "invalid") return invalidVerdict(event.data);
  if (!event.isJson) {
    const end = recording.frames[0].end;
    return {
      tone: "bad",
      title: sentence(
        "Broke off in a JSON body: ",
        link("the JSON isn't complete", 0, { start: Math.max(end - 8, 0), end }),
        ".",
      ),
      findings: [],
      advice: [
        "The connection was cut, or the copy of the body is incomplete. Nothing can be read from half a body; a stream keeps what arrived.",
      ],
    };
  }
  return unknownVerdict(sentence(link("JSON of an unknown interface", 0)), event.value);
}

/** @param {number} frame @param {import("../capture/frame-cutter.js").Range} end @returns {Verdict} */
function cutVerdict(frame, end) {
  return {
    tone: "bad",
    title: sentence("Broke off in ", link(`event ${frame + 1}, which is half a JSON object`, frame, end), "."),
    findings: [],
    advice: ["The connection was cut before the first whole event. Send the same request by curl -N to compare."],
  };
}

/** @param {string} data @returns {Verdict} */
function invalidVerdict(data) {
  return {
    tone: "bad",
    title: sentence(link("The JSON isn't valid", 0), ": ", code(clip(data, 120)), "."),
    findings: [],
    advice: [
      unwrapAdvice(data.slice(0, PROBE)) ?? "Copy the response from where it was recorded: an editor may have changed it.",
    ],
  };
}

/** @param {Recording} recording @param {string} text @returns {Verdict} */
function eventsVerdict(recording, text) {
  const events = recording.frames.slice(0, 20).map((frame) => parseEvent(recording.bytesOf(frame)));
  if (recording.framing === "events" && !/^(event|data|id|retry)?:/m.test(text)) {
    return {
      tone: "bad",
      title: sentence(link("Plain text", 0), ", neither events nor JSON: ", code(clip(text.trim().split("\n")[0], 120)), "."),
      findings: [],
      advice: adviceForText(text),
    };
  }
  const first = events.findIndex(({ data }) => data !== "" && data.trim() !== "[DONE]");
  if (first < 0) {
    return {
      tone: "bad",
      title: sentence(link("No data", 0), `: ${countOf(recording.frames.length, "event")} with only comments or an end marker.`),
      findings: [],
      advice: [
        "Comments keep a connection open while the model works. The model, or a server between, ended without an answer: look into its log.",
      ],
    };
  }
  if (/\[object \w+\]/.test(events[first].data)) {
    return unknownVerdict(
      sentence(link(`Event ${first + 1} is an object turned into text`, first), ": ", code(events[first].data)),
      undefined,
    );
  }
  if (!events.some(({ isJson }) => isJson)) {
    const { data } = events[first];
    const isCut = recording.frames.length === first + 1 && parsePartialJson(data).state === "partial";
    if (isCut) return cutVerdict(first, tailOf(recording, first));
    return {
      tone: "bad",
      title: sentence(link(`Event ${first + 1} isn't JSON`, first), ": ", code(clip(data, 120)), "."),
      findings: [],
      advice: [
        unwrapAdvice(data.slice(0, PROBE)) ??
          "The interfaces that the page knows send JSON in each event. If a server of yours sends plain text, capture what its provider sends.",
      ],
    };
  }
  return unknownVerdict(sentence(link("A stream of an unknown interface", first)), events[first].value);
}

/** @param {string} text neither events nor JSON */
function adviceForText(text) {
  const known = unwrapAdvice(text);
  if (known !== undefined) return [known];
  return [
    "A proxy or the server answered with a message of its own. curl -i shows the status.",
    "If this is text that you read from a stream before: capture the response itself instead.",
  ];
}

/** @param {import("./piece.js").Sentence} title @param {unknown} value @returns {Verdict} */
function unknownVerdict(title, value) {
  const names = Object.keys(asObject(value)).slice(0, 6);
  const type = asObject(value).type;
  const isAiSdk = typeof type === "string" && /^(start|start-step|text-(start|delta|end)|tool-input-\w+|finish-step)$/.test(type);
  return {
    tone: "bad",
    title: [...title, ...sentence(...(isAiSdk ? [" of the AI SDK: it goes from your server to a page"] : []), ".")],
    findings:
      names.length === 0
        ? []
        : [sentence("Its first object has ", ...names.flatMap((name, index) => [index ? ", " : "", code(name)]), ".")],
    advice: [
      isAiSdk
        ? "Capture the provider's response instead: on your server, or with the request by curl."
        : "The page knows OpenAI chat completions and Responses, Anthropic, Gemini, Interactions, Bedrock, Ollama, Cohere and Workers AI. If this is one of them, capture the response before your own code changes it.",
      "For an interface of your own, write a codec: see docs/codecs.md.",
    ],
  };
}
