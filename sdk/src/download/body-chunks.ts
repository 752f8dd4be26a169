import { networkError } from '../core/api-error.ts'

/**
 * The bytes of a response as they come. Not every browser lets `for await` run over a stream, so it is read by hand.
 * @throws ApiError `network` when the connection was cut; the signal's reason
 */
export async function* bodyChunks(
  { body }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (body === null) return
  const reader = body.getReader()
  const next = async () => {
    try {
      return await reader.read()
    } catch (error) {
      signal?.throwIfAborted()
      throw networkError(error)
    }
  }
  try {
    for (;;) {
      const { done, value } = await next()
      if (done) return
      yield value
    }
  } finally {
    // What was cut cannot be cancelled any more.
    await reader.cancel().catch(() => undefined)
  }
}
