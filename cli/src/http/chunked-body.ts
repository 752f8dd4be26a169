type Batch = readonly Buffer<ArrayBuffer>[]

/** Characters of a line between two chunks; a longer one is refused. */
const maxLine = 4096

/**
 * The content of a chunked body (RFC 9112 §7.1). For each batch comes one of parts of its buffers, which may be empty.
 * @throws TypeError when the body is damaged; Error when it ends early
 */
export async function* contentOfChunks(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void> {
  let state: 'size' | 'content' | 'end of content' | 'trailer' = 'size'
  /** Bytes of the chunk that have not arrived. */
  let missing = 0
  /** The beginning of a line. */
  let line = ''
  for await (const batch of batches) {
    const content: Buffer<ArrayBuffer>[] = []
    for (let rest of batch)
      while (rest.length > 0) {
        if (state === 'content') {
          const part = rest.subarray(0, missing)
          content.push(part)
          missing -= part.length
          rest = rest.subarray(part.length)
          if (missing === 0) state = 'end of content'
          continue
        }
        const end = rest.indexOf('\n')
        line += rest.toString('latin1', 0, end === -1 ? rest.length : end)
        if (line.length > maxLine) throw damaged()
        if (end === -1) break
        rest = rest.subarray(end + 1)
        const text = line.replace(/\r$/, '')
        line = ''
        if (state === 'size') {
          missing = sizeOf(text)
          state = missing === 0 ? 'trailer' : 'content'
        } else if (state === 'end of content') {
          if (text !== '') throw damaged()
          state = 'size'
        } else if (text === '') {
          yield content
          return
        }
      }
    yield content
  }
  throw new Error('the connection was cut')
}

const damaged = () => new TypeError('the body of the response is damaged')

/** The size in a line such as `1f4` or `1f4;name=value`. */
function sizeOf(line: string): number {
  const [, digits] = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i.exec(line) ?? []
  if (digits === undefined) throw damaged()
  return Number.parseInt(digits, 16)
}
