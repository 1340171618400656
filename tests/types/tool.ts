// Tools: the types of the arguments follow from the schema.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { expectTypeOf } from "expect-type";
import * as v from "valibot";
import { z } from "zod";
import { type RequestStep, type RequestToolResult, runRequest, tool, type Tool, type ToolContext } from "respool";

const port = tool({
  description: "The tides of a port",
  parameters: {
    type: "object",
    properties: {
      port: { type: "string" },
      days: { type: "integer" },
      units: { enum: ["m", "ft"] },
      times: { type: "array", items: { type: "string", format: "date-time" } },
      place: { type: "object", properties: { lat: { type: "number" }, lon: { type: "number" } }, required: ["lat"] },
      note: { type: ["string", "null"] },
      either: { anyOf: [{ type: "boolean" }, { const: 5 }] },
    },
    required: ["port", "units"],
  },
  execute(args, context) {
    expectTypeOf(args).toEqualTypeOf<{
      port: string;
      units: "m" | "ft";
      days?: number;
      times?: string[];
      place?: { lat: number; lon?: number };
      note?: string | null;
      either?: boolean | 5;
    }>();
    expectTypeOf(context).toEqualTypeOf<ToolContext>();
    return { port: args.port };
  },
});
expectTypeOf(port({}, {} as ToolContext)).toEqualTypeOf<Promise<{ port: string }>>();
expectTypeOf(port.parameters).toEqualTypeOf<Record<string, unknown>>();

const zod = tool({
  parameters: z.object({ city: z.string(), days: z.number().default(1), from: z.coerce.date().optional() }),
  execute: async (args) => {
    expectTypeOf(args).toEqualTypeOf<{ city: string; days: number; from?: Date | undefined }>();
    return args.city;
  },
});
expectTypeOf(zod).toExtend<Tool<{ city: string; days: number; from?: Date | undefined }, Promise<string>>>();

const Valibot = v.object({ city: v.string(), days: v.optional(v.number(), 1) });
const valibot = tool({
  parameters: toStandardJsonSchema(Valibot),
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>(),
});
tool({
  parameters: Valibot,
  jsonSchema: { type: "object", properties: { city: { type: "string" } } },
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>(),
});

// Schemas whose types aren't literal, and no schema: the values are unknown.
const loose = { type: "object", properties: { city: { type: "string" } } };
tool({ parameters: loose, execute: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() });
tool({ execute: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() });
const closed = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
tool({ parameters: closed, execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>() });

// A schema with a type of its own, such as JSONSchema7, has no index signature.
interface Schema7 {
  type?: "string" | "object" | ("string" | "object")[] | undefined;
  const?: unknown;
  properties?: { [name: string]: Schema7 | boolean } | undefined;
  items?: Schema7 | boolean | (Schema7 | boolean)[] | undefined;
  required?: string[] | undefined;
  enum?: unknown[] | undefined;
  anyOf?: (Schema7 | boolean)[] | undefined;
  title?: string | undefined;
}
declare const schema7: Schema7;
tool({ parameters: schema7, execute: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() });
tool({ parameters: Valibot, jsonSchema: schema7 });

// Variables, lists and objects of type Tool can hold any tool.
const any: Tool = port;
const list: Tool[] = [any, zod, valibot, tool({ execute: () => 1 }), tool({ description: "Ends" })];
const byName: Record<string, Tool> = { port, zod, valibot };
runRequest({ transport: () => [], messages: [], tools: { ...byName, first: list[0]! } });
runRequest({ transport: () => [], messages: [], tools: byName });

// @ts-expect-error: misspelt
tool({ descripton: "x", execute: () => 5 });
// @ts-expect-error: the city is a string
tool({ parameters: z.object({ city: z.string() }), execute: ({ city }) => city.toFixed() });
// @ts-expect-error: there is no town
tool({ parameters: { type: "object", properties: { city: { type: "string" } } }, execute: ({ town }) => town });

const request = runRequest({
  transport: () => [],
  messages: [],
  tools: { port, zod, valibot, done: tool({ description: "Ends" }), plain: ({ city }) => city },
  exitTools: ["done"],
});
for await (const delta of request) {
  if (delta.type === "step-start") expectTypeOf(delta.step).toEqualTypeOf<number>();
  if (delta.type === "tool-result") {
    expectTypeOf(delta.id).toEqualTypeOf<string>();
    if (delta.error === undefined) expectTypeOf(delta.result).toEqualTypeOf<unknown>();
    else expectTypeOf(delta.error).toEqualTypeOf<string>();
  }
}
expectTypeOf(request.getResult().steps).toEqualTypeOf<RequestStep[]>();
expectTypeOf(request.getResult().messages).toEqualTypeOf<object[]>();
expectTypeOf<RequestStep["toolResults"]>().toEqualTypeOf<RequestToolResult[]>();
