// arktype's own types need those of Node.
import { expectTypeOf } from "expect-type";
import { type } from "arktype";
import { cast, parseStructuredOutput, tool } from "respool";

const Report = type({ city: "string", "wind?": "number" });
expectTypeOf(parseStructuredOutput("", Report)).toEqualTypeOf<{ city: string; wind?: number }>();
expectTypeOf(cast("", Report)).toEqualTypeOf<{ city: string; wind?: number }>();

tool({ parameters: Report, execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string; wind?: number }>() });
// @ts-expect-error: there is no town
tool({ parameters: Report, execute: ({ town }) => town });
