// The types of the platform that declarations of respool name. A project whose `lib` or `@types` declare them has those;
// any other can still check its libraries.
export {};

declare global {
  interface AbortSignal {}
  interface Headers {}
  interface ReadableStream<R = any> {}
  interface Response {}
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface TransformStream<I = any, O = any> {}
  interface URL {}
}
