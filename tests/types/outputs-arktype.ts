// arktype's own types need those of Node.
import { expectTypeOf } from "expect-type";
import { type } from "arktype";
import { cast, parseStructuredOutput } from "respool";

const Report = type({ city: "string", "wind?": "number" });
expectTypeOf(parseStructuredOutput("", Report)).toEqualTypeOf<{ city: string; wind?: number }>();
expectTypeOf(cast("", Report)).toEqualTypeOf<{ city: string; wind?: number }>();
