import { missingData, type ByteRange } from '../backend/backend.ts'
import type { RetryPolicy } from '../network/retry-policy.ts'
import { readOverHttp, versionIn } from '../network/read-over-http.ts'
import { responseError } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'

/**
 * The bytes of one object, large or not.
 * @throws MissingDataError, including when it was replaced meanwhile
 */
export async function readObject(
  calls: SwiftCalls,
  name: string,
  range: ByteRange | undefined,
  retryPolicy: RetryPolicy,
): Promise<AsyncIterable<Uint8Array>> {
  let etag: string | undefined
  const request = async (part?: ByteRange) => {
    const response = await calls.get(name, part)
    const gone = () => {
      response.destroy()
      return missingData(name)
    }
    if (response.status === 404) throw gone()
    if (![200, 206, 416].includes(response.status)) throw await responseError(`the object ${name}`, response)
    if (response.status === 416) return response
    // Not If-Match: for a large object, Ceph's gateway compares another ETag than the one it sends.
    const version = versionIn(response, 'etag')
    etag ??= version
    if (version !== etag) throw gone()
    return response
  }
  return readOverHttp({ request, range, retryPolicy })
}
