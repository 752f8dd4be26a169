/** All chunks of a content, in memory: its size must be limited. Each buffer may be reused for the next chunk, so a blob copies it at once. */
export async function blobOf(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Blob[] = []
  for await (const chunk of chunks) parts.push(new Blob([chunk]))
  return new Blob(parts)
}
