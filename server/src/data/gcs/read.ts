import type { ByteRange } from '../backend/backend.ts'
import type { RetryPolicy } from '../network/retry-policy.ts'
import { readOverHttp, versionIn } from '../network/read-over-http.ts'
import { missing, refusalOf } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'

/** The bytes of the object of a key. @throws MissingDataError, also when it was replaced meanwhile */
export async function readObject(
  calls: GcsCalls,
  { key, name }: { readonly key: string; readonly name: string },
  range: ByteRange | undefined,
  patience: RetryPolicy,
): Promise<AsyncIterable<Uint8Array>> {
  let generation: string | undefined
  const ask = async (part?: ByteRange) => {
    const answer = await calls.read(name, part, generation)
    if (answer.status === 404) {
      answer.cut()
      throw missing(key)
    }
    if (![200, 206, 416].includes(answer.status)) throw await refusalOf(`the object ${name}`, answer)
    if (answer.status !== 416) generation = versionIn(answer, 'x-goog-generation')
    return answer
  }
  return readOverHttp({ ask, range, patience })
}
