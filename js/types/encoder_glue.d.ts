// Additional exports of the module for `respool/encode` and the command line: see src/wasm/encoder.rs.
import type { AnnotatedLlmResponse, Failure, Warning } from "../../pkg/wasm/respool.js";

declare module "../../pkg/wasm/respool.js" {
  export class Encoder {
    constructor(target: string, encoding: string, options: string, missed?: string);
    static restore(bytes: unknown): Encoder;
    save(): Uint8Array<ArrayBuffer>;
    target(): string;
    readsDeltas(): boolean;
    hasOptionOf(other: Encoder, number: number): boolean;
    hasWritingOf(other: Encoder, number: number): boolean;
    push(chunk: object): Uint8Array<ArrayBuffer>;
    pushInbox(length: number): Uint8Array<ArrayBuffer>;
    pushBytes(bytes: unknown): Uint8Array<ArrayBuffer>;
    finish(): Uint8Array<ArrayBuffer>;
    abort(reason: string | undefined): Uint8Array<ArrayBuffer>;
    fail(failure: string, status: number): Uint8Array<ArrayBuffer>;
    heartbeat(): Uint8Array<ArrayBuffer>;
    lost(): Warning[];
    isOver(): boolean;
    isDone(): boolean;
    hasEnded(): boolean;
    result: Accumulator["result"];
    free(): void;
  }
  /** `failure`: why the body is an error. */
  export function encode(
    response: unknown,
    target: string,
    encoding: string,
  ): { body: object; lost: Warning[]; failure?: Failure };
  /**
   * `text`, `lost` and `failure` are missing if the body already has the target interface and is passed on unchanged.
   * `failure`: why the text is an error. `ownFailure`: why a body of the target interface isn't an answer.
   */
  export function translate(
    body: unknown,
    target: string,
    encoding: string,
    reading: string,
  ): { response: AnnotatedLlmResponse; text?: string; lost?: Warning[]; failure?: Failure; ownFailure?: Failure };
  export function errorBody(target: string, failure: string, status: number): string;
}
