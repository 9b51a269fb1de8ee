/** The part of WebAssembly's interface for JavaScript that is used here; Node's own types do not declare it. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  const Memory: { readonly prototype: Memory };
}
