import type { ByteRange } from '../backend.ts'
import type { StoreAnswer } from '../network/client.ts'
import type { Patience } from '../network/patience.ts'
import { readOverHttp } from '../network/read-over-http.ts'
import { missing, refusalOf } from '../network/refusal.ts'
import type { SwiftCalls } from './calls.ts'

/** The bytes of one object, large or not. @throws MissingDataError, also when it was replaced meanwhile */
export async function readObject(
  calls: SwiftCalls,
  name: string,
  range: ByteRange | undefined,
  patience: Patience,
): Promise<AsyncIterable<Uint8Array>> {
  let etag: string | undefined
  const ask = async (part?: ByteRange) => {
    const answer = await calls.get(name, part)
    // Compared here, not by If-Match: Ceph's gateway matches that of a large object with another one than it tells.
    if (answer.status === 404 || isOther(answer, etag)) {
      answer.cut()
      throw missing(name)
    }
    if (![200, 206, 416].includes(answer.status)) throw await refusalOf(`the object ${name}`, answer)
    if (answer.status !== 416) etag ??= answer.headers.etag
    return answer
  }
  return readOverHttp({ ask, range, patience })
}

/** Whether it is another object than that which was begun. */
const isOther = ({ status, headers }: StoreAnswer, etag: string | undefined) =>
  etag !== undefined && status < 300 && headers.etag !== etag
