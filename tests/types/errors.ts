// The classes of errors, and that isInstance narrows to the class that it is asked of.
import { expectTypeOf } from "expect-type";
import { DecodeError, LimitError, OutputParseError, ProviderError, RefusalError, RespoolError, StreamError } from "respool";
import type { StreamResult } from "respool";

expectTypeOf<RespoolError>().toExtend<Error>();
expectTypeOf<RespoolError["code"]>().toBeString();
for (const Class of [DecodeError, ProviderError, RefusalError, StreamError, OutputParseError, LimitError]) {
  expectTypeOf(Class).instance.toExtend<RespoolError>();
}

expectTypeOf<ProviderError["providerType"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<ProviderError["providerCode"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<ProviderError["raw"]>().toBeUnknown();
expectTypeOf<RefusalError["refusal"]>().toBeString();
expectTypeOf<RefusalError["partial"]>().toEqualTypeOf<StreamResult>();
expectTypeOf<StreamError["outcome"]>().toEqualTypeOf<"determinate" | "indeterminate">();
expectTypeOf<StreamError["partial"]>().toEqualTypeOf<StreamResult>();

export function describe(error: unknown): string {
  if (StreamError.isInstance(error)) {
    expectTypeOf(error).toEqualTypeOf<StreamError>();
    return error.partial.text;
  }
  if (RespoolError.isInstance(error)) {
    expectTypeOf(error).toEqualTypeOf<RespoolError>();
    return error.code;
  }
  return "";
}
