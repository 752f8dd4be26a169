import type { ByteRange } from '../backend/backend.ts'
import type { RetryPolicy } from '../network/retry-policy.ts'
import { readOverHttp, versionIn } from '../network/read-over-http.ts'
import { missing, refusalOf } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'

/** The bytes of one object, large or not. @throws MissingDataError, also when it was replaced meanwhile */
export async function readObject(
  calls: SwiftCalls,
  name: string,
  range: ByteRange | undefined,
  patience: RetryPolicy,
): Promise<AsyncIterable<Uint8Array>> {
  let etag: string | undefined
  const ask = async (part?: ByteRange) => {
    const answer = await calls.get(name, part)
    const gone = () => {
      answer.cut()
      return missing(name)
    }
    if (answer.status === 404) throw gone()
    if (![200, 206, 416].includes(answer.status)) throw await refusalOf(`the object ${name}`, answer)
    if (answer.status === 416) return answer
    // Compared here, not by If-Match: Ceph's gateway matches that of a large object with another one than it tells.
    const version = versionIn(answer, 'etag')
    etag ??= version
    if (version !== etag) throw gone()
    return answer
  }
  return readOverHttp({ ask, range, patience })
}
