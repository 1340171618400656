// The slim entry has the same interface, and two functions to initialise it with a module.
import { expectTypeOf } from "expect-type";
import * as respool from "respool";
import * as slim from "respool/slim";
import module from "respool/respool.wasm";

expectTypeOf(slim.init).returns.resolves.toBeVoid();
expectTypeOf(slim.init).toBeCallableWith(module);
expectTypeOf(slim.init).toBeCallableWith(new URL("https://example.test/respool.wasm"));
expectTypeOf(slim.init).toBeCallableWith(fetch("https://example.test/respool.wasm"));
expectTypeOf(slim.initSync).toBeCallableWith(new Uint8Array());
// @ts-expect-error: loading takes time
slim.initSync("https://example.test/respool.wasm");

// Not equal: each file of declarations has a RAW_JSON of its own.
expectTypeOf(slim.process).toExtend<typeof respool.process>();
expectTypeOf(respool.process).toExtend<typeof slim.process>();
expectTypeOf(slim.decode).toEqualTypeOf(respool.decode);
expectTypeOf<slim.Delta>().toEqualTypeOf<respool.Delta>();
