import type { Extraction } from "../../pkg/wasm/respool.js";

/** The formats in which models write tool calls as text. */
export type TextFormat =
  | "auto"
  | "hermes"
  | "qwen-xml"
  | "glm"
  | "llama3-json"
  | "pythonic"
  | "olmo3"
  | "mistral"
  | "deepseek-v3"
  | "deepseek-v3.1"
  | "deepseek-dsml"
  | "kimi-k2"
  | "kimi-k3"
  | "harmony"
  | "muse-glimmer"
  | "minimax-m2"
  | "minimax-m1"
  | "gemma4"
  | "command"
  | "nemotron"
  | "granite"
  | "phi4-mini"
  | "internlm2"
  | "inkling"
  | "step-3"
  | "solar-open"
  | "k2-horizon"
  | "plamo-3"
  | "hyperclova-x"
  | "functionary"
  | "apertus"
  | "minicpm"
  | "gigachat"
  | "xlam"
  | "directive"
  | "json-fence"
  | "react";

/** Which tool calls to find in text. */
export interface TextToolCalls {
  /**
   * The tool definitions as you send them to the provider: `{ type: "function", function: { name, parameters } }`,
   * `{ type: "function", name, parameters }`, `{ type: "custom", custom: { name } }`, `{ name, input_schema }`,
   * `{ name, inputSchema }`, `{ functionDeclarations: [{ name, parameters }] }` or
   * `{ toolSpec: { name, inputSchema: { json } } }`. Tools that the provider runs itself are ignored, and calls to other
   * tools are rejected.
   *
   * `"any"` accepts every well-formed call. Use it where the tools are unknown, as in a log viewer or a proxy, and
   * never to run what it finds.
   */
  tools: readonly object[] | "any";
  /**
   * `"auto"`, the default: every format with markers of its own. A list narrows or widens that:
   * `["hermes"]`, `["auto", "llama3-json"]`.
   */
  formats?: TextFormat | readonly TextFormat[];
}

/**
 * The tags around reasoning: `true` for all known tags, or their names (`"think"`, `"[THINK]"`). A tag of your own is a
 * name (`"plan"`) or an opener (`"<plan>"`, `"[PLAN]"`, `"<|plan|>"`, `"<|plan_start|>"`). `open: true` means that the
 * prompt has opened the tag, so that the text starts inside it.
 */
export type ReasoningTags =
  | boolean
  | string
  | readonly string[]
  | {
      /** The tags; all known ones by default. */
      tags?: boolean | string | readonly string[];
      /** Whether the text starts inside a tag. Default false. */
      open?: boolean;
    };

/**
 * Finds the tool calls and the reasoning that a model has written as text. It finds declared tools only, ignores code
 * fences and inline code, and runs nothing.
 *
 * @throws {@link RespoolError} `invalid-option` for an unknown format, or a tool definition in an unknown form
 *
 * @example
 * ```ts
 * import { extractToolCalls } from "respool";
 *
 * const tools = [{ name: "tide", input_schema: { type: "object", properties: { place: { type: "string" } } } }];
 * const found = extractToolCalls('Let me see. <tool_call>{"name": "tide", "arguments": {"place": "Brest"}}</tool_call>', { tools });
 * console.log(found.text, found.toolCalls.length); // → Let me see.  1
 * console.log(found.toolCalls[0]?.arguments); // → {"place": "Brest"}
 * ```
 */
export function extractToolCalls(text: string, options: TextToolCalls & { reasoningTags?: ReasoningTags }): Extraction;
