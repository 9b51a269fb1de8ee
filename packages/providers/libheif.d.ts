declare module "libheif-js/libheif-wasm/libheif-bundle.js" {
  interface HeifImage {
    readonly handle: unknown;
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
  }
  /** Rows of pixels in the memory of the decoder; `stride` is the bytes of a row. */
  interface Channel {
    readonly data: Uint8Array;
    readonly stride: number;
    readonly width: number;
    readonly height: number;
  }
  interface Libheif {
    readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
    heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): { readonly channels?: Channel[] };
  }
  /** Starts a decoder with a memory of its own. */
  const start: () => Libheif;
  export default start;
}
