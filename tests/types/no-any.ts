// No exported type contains an `any`.
import { expectTypeOf } from "expect-type";
import type * as respool from "respool";

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Whether there is an `any` in a type, down to a depth. */
type HasAny<T, Depth extends readonly unknown[] = [1, 1, 1, 1, 1, 1]> =
  IsAny<T> extends true
    ? true
    : Depth extends readonly [unknown, ...infer Rest]
      ? T extends (...args: infer Args) => infer Result
        ? HasAny<Args, Rest> | HasAny<Result, Rest>
        : T extends readonly (infer Item)[]
          ? HasAny<Item, Rest>
          : T extends string | ArrayBufferLike | ArrayBufferView | symbol
            ? false
            : T extends object
              ? { [Key in keyof T]-?: HasAny<T[Key], Rest> }[keyof T]
              : false
      : false;

/** `HasAny` is `boolean` where some parts have one and others have none. */
type LeaksAny<T> = true extends HasAny<T> ? true : false;

// biome-ignore lint/suspicious/noExplicitAny: the check must find it
expectTypeOf<LeaksAny<{ a: any }>>().toEqualTypeOf<true>();
// biome-ignore lint/suspicious/noExplicitAny: the check must find it
expectTypeOf<LeaksAny<{ a: { b?: (x: string) => any[]; c: number } }>>().toEqualTypeOf<true>();
expectTypeOf<LeaksAny<{ a: { b?: (x: unknown) => string[]; c: number } }>>().toEqualTypeOf<false>();

expectTypeOf<LeaksAny<respool.Delta>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.StreamResult>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.AnnotatedLlmResponse>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.ProcessResult>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.StreamAccumulatorOptions>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.ProcessOptions>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.Agent>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<Parameters<typeof respool.process>>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<Parameters<typeof respool.decode>>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.StreamAccumulator["push"]>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.StreamAccumulator["finish"]>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.SseEvent>>().toEqualTypeOf<false>();
expectTypeOf<IsAny<respool.StreamError["partial"]>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<respool.PartialJson>>().toEqualTypeOf<false>();
expectTypeOf<LeaksAny<typeof respool.parsePartialJson>>().toEqualTypeOf<false>();
