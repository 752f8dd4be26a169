import { missingData, type ByteRange } from '../backend/backend.ts'
import type { RetryPolicy } from '../network/retry-policy.ts'
import { readOverHttp, versionIn } from '../network/read-over-http.ts'
import { responseError } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'

/**
 * The bytes of the object of a key.
 * @throws MissingDataError, including when it was replaced meanwhile
 */
export async function readObject(
  calls: GcsCalls,
  { key, name }: { readonly key: string; readonly name: string },
  range: ByteRange | undefined,
  retryPolicy: RetryPolicy,
): Promise<AsyncIterable<Uint8Array>> {
  let generation: string | undefined
  const request = async (part?: ByteRange) => {
    const response = await calls.read(name, part, generation)
    if (response.status === 404) {
      response.destroy()
      throw missingData(key)
    }
    if (![200, 206, 416].includes(response.status)) throw await responseError(`the object ${name}`, response)
    if (response.status !== 416) generation = versionIn(response, 'x-goog-generation')
    return response
  }
  return readOverHttp({ request, range, retryPolicy })
}
