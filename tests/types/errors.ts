// The classes of errors. isInstance narrows to the class on which it is called.
import { expectTypeOf } from "expect-type";
import { RespoolError, StreamError } from "respool";
import type {
  DecodeError,
  ErrorCode,
  HttpError,
  LimitError,
  OutputParseError,
  ProviderError,
  RefusalError,
  StreamResult,
} from "respool";

expectTypeOf<RespoolError>().toExtend<Error>();
expectTypeOf<RespoolError["code"]>().toEqualTypeOf<ErrorCode>();
expectTypeOf<"http-error">().toExtend<ErrorCode>();
expectTypeOf<ProviderError["code"]>().toEqualTypeOf<"provider-error" | "http-error">();
expectTypeOf<LimitError["code"]>().toEqualTypeOf<"limit-exceeded">();
expectTypeOf<ProviderError["status"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<ProviderError["retryAfter"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<ProviderError["requestId"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<ProviderError["partial"]>().toEqualTypeOf<StreamResult | undefined>();
expectTypeOf<HttpError["status"]>().toBeNumber();
expectTypeOf<DecodeError | ProviderError | RefusalError | StreamError | OutputParseError | LimitError>().toExtend<RespoolError>();

expectTypeOf<ProviderError["providerType"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<ProviderError["providerCode"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<ProviderError["raw"]>().toBeUnknown();
expectTypeOf<RefusalError["refusal"]>().toBeString();
expectTypeOf<RefusalError["partial"]>().toEqualTypeOf<StreamResult>();
expectTypeOf<DecodeError["outcome"]>().toEqualTypeOf<"determinate" | "indeterminate" | undefined>();
expectTypeOf<LimitError["outcome"]>().toEqualTypeOf<"determinate" | undefined>();
expectTypeOf<StreamError["outcome"]>().toEqualTypeOf<"determinate" | "indeterminate">();
expectTypeOf<StreamError["partial"]>().toEqualTypeOf<StreamResult>();

export function describe(error: unknown): string {
  if (StreamError.isInstance(error)) {
    expectTypeOf(error).toEqualTypeOf<StreamError>();
    return error.partial.text;
  }
  if (RespoolError.isInstance(error)) {
    expectTypeOf(error).toEqualTypeOf<RespoolError>();
    // @ts-expect-error: there is no such code
    if (error.code === "http_error") return "";
    return error.code;
  }
  return "";
}
