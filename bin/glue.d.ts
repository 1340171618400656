// An additional class of the command line's module: see src/wasm/batch.rs.
export {};

declare module "../pkg/wasm/respool.js" {
  export class LineReader {
    constructor(api: string | undefined, agent: string, whole: boolean);
    read(lines: Uint8Array, line: number | undefined, file: string): Uint8Array<ArrayBuffer>;
    free(): void;
  }
}
