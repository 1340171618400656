import type { Extraction } from "../../pkg/wasm/respool.js";

/** The formats in which models write tool calls into their text. */
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
  | "harmony"
  | "minimax-m2"
  | "minimax-m1"
  | "gemma4"
  | "command"
  | "nemotron"
  | "granite"
  | "phi4-mini"
  | "internlm2"
  | "functionary"
  | "apertus"
  | "minicpm"
  | "gigachat"
  | "xlam"
  | "directive"
  | "json-fence"
  | "react";

/** Which tool calls are looked for in text. */
export interface TextToolCalls {
  /**
   * The definitions of the tools, as they are sent to the provider: `{ type: "function", function: { name, parameters } }`,
   * `{ type: "function", name, parameters }` or `{ name, input_schema }`. Only these tools are ever called.
   */
  tools: readonly object[];
  /**
   * `"auto"`, the default: every format that has marks of its own. A list narrows or widens that:
   * `["hermes"]`, `["auto", "llama3-json"]`.
   */
  formats?: TextFormat | readonly TextFormat[];
}

/**
 * Which tags reasoning stands between: `true` for all that are known, or names of tags (`"think"`, `"[THINK]"`).
 * `open: true` says that the prompt has opened the tag, so that the text begins inside.
 */
export type ReasoningTags =
  | boolean
  | string
  | readonly string[]
  | {
      /** Which tags; all that are known by default. */
      tags?: boolean | string | readonly string[];
      /** Whether the text begins inside of one. Default false. */
      open?: boolean;
    };

/**
 * Finds the tool calls and the reasoning that a model has written into its text. Nothing is called; only tools that
 * are declared are found; what stands in code fences and inline code is text.
 *
 * @throws `invalid-option` for a format that there is not
 *
 * @example
 * ```ts
 * import { extractToolCalls } from "respool";
 *
 * const tools = [{ name: "tide", input_schema: { type: "object", properties: { place: { type: "string" } } } }];
 * const found = extractToolCalls('Let me see. <tool_call>{"name": "tide", "arguments": {"place": "Brest"}}</tool_call>', { tools });
 * console.log(found.text, found.toolCalls.length); // → Let me see.  1
 * console.log(found.toolCalls[0].arguments); // → {"place": "Brest"}
 * ```
 */
export function extractToolCalls(text: string, options: TextToolCalls & { reasoningTags?: ReasoningTags }): Extraction;
