declare module "libheif-js/libheif-wasm/libheif-bundle.js" {
  /** Starts a decoder with a memory of its own. */
  const start: () => unknown;
  export default start;
}
