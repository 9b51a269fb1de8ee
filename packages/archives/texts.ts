/** Decodes UTF-8 in parts. @throws SyntaxError if it is none */
export async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunks) yield decoded(decoder, chunk);
  yield decoded(decoder);
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new SyntaxError("The bytes are not UTF-8.");
  }
}
