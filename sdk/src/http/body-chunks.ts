import { networkError } from '../errors/api-error.ts'

/**
 * The bytes of a response as they arrive. Some browsers cannot iterate over a stream with `for await`, so a reader does it.
 * @throws ApiError `network` for a broken connection; the signal's reason
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
    // A broken stream cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}
