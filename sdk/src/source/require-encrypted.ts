import { ageHeadBytes, ageScheme, isAgeHead } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import type { Source, StreamSource } from './source.ts'

const refusal = () =>
  new ApiError(0, 'not_encrypted', 'nothing was sent: the upload is end-to-end encrypted, the file is not')

interface Peeked {
  readonly head: Uint8Array
  /** Starts with the same bytes as before. */
  readonly source: StreamSource
  /** Closes an unread source. */
  readonly end: () => Promise<unknown>
}

/** Reads the first bytes of a stream. */
async function peek({ size, chunks }: StreamSource): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let head = new Uint8Array()
  while (head.length < ageHeadBytes) {
    const next = await iterator.next()
    if (next.done === true) break
    // Copied, since the source may overwrite it with the next read.
    const chunk = next.value.slice()
    first.push(chunk)
    head = Uint8Array.of(...head, ...chunk.subarray(0, ageHeadBytes))
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head, source: { size, chunks: again() }, end: async () => iterator.return?.() }
}

/**
 * Refuses plain files for an upload that is encrypted with age, so that a mistake never sends them in the clear. Other
 * uploads accept any source.
 * @param scheme the field `e2ee` of the upload
 * @throws ApiError `not_encrypted`, with the status 0, since no request was sent
 */
export async function requireEncrypted(source: Source, scheme: string | undefined): Promise<Source> {
  if (scheme !== ageScheme) return source
  if (source instanceof Blob) {
    const head = new Uint8Array(await source.slice(0, ageHeadBytes).arrayBuffer())
    if (!isAgeHead(head)) throw refusal()
    return source
  }
  if ('between' in source) {
    const { head, end } = await peek({ chunks: source.between(0, Math.min(source.size, ageHeadBytes)) })
    await end()
    if (!isAgeHead(head)) throw refusal()
    return source
  }
  const { head, source: whole, end } = await peek(source)
  if (isAgeHead(head)) return whole
  await end()
  throw refusal()
}
