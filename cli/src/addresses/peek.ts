import { lightResponse } from '../http/light-response.ts'
import { attachBody, bodyOf } from '../http/response-body.ts'

/** A response whose first bytes are known. */
export interface Peeked {
  /** At least as many bytes as requested, unless the body is shorter. */
  readonly head: Buffer
  /** With all bytes of its body, to be read once. */
  readonly response: Response
}

/**
 * Reads the first bytes of a response, and returns one that has them again.
 * @throws the error of the connection
 */
export async function peek(response: Response, bytes: number): Promise<Peeked> {
  const { batches, destroy } = bodyOf(response)
  // The bytes count for the rate when they are taken.
  const all = batches(() => undefined)
  const first: Buffer<ArrayBuffer>[] = []
  let size = 0
  while (size < bytes) {
    const next = await all.next()
    if (next.done === true) break
    first.push(...next.value)
    size += next.value.reduce((sum, { length }) => sum + length, 0)
  }
  const { status, statusText, headers } = response
  const again = attachBody(lightResponse(null, { status, statusText, headers }), {
    async *batches(pace) {
      if (size > 0) {
        await pace(size)
        yield first
      }
      for await (const batch of all) {
        await pace(batch.reduce((sum, { length }) => sum + length, 0))
        yield batch
      }
    },
    destroy,
  })
  return { head: Buffer.concat(first), response: again }
}
