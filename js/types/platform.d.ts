// Platform types that respool's declarations refer to. If a project's `lib` or `@types` declare them, the declarations
// merge; any other project can still check its libraries.
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
