// The types of the platform that declarations of respool name. A project whose `lib` or `@types` declare them has those;
// any other can still check its libraries.
export {};

declare global {
  interface AbortSignal {}
  interface Blob {}
  interface Headers {}
  // biome-ignore lint/suspicious/noExplicitAny: merged declarations need the type parameters of the platform's own
  interface ReadableStream<R = any> {}
  interface Response {}
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  interface TransformStream<I = any, O = any> {}
  interface URL {}
}
