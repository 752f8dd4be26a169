import { StoreUnavailableError } from '../backend/backend.ts'
import type { S3 } from './client.ts'
import { asked, isNamed } from './failures.ts'

/**
 * Resolves when the bucket is there and we are let in.
 * @throws StoreUnavailableError, the reason of the signal
 */
export async function pingBucket({ sdk, asking, options }: S3, signal: AbortSignal): Promise<void> {
  const Bucket = options.bucket
  try {
    await asking.send(new sdk.HeadBucketCommand({ Bucket }), { abortSignal: signal })
  } catch (cause) {
    signal.throwIfAborted()
    // Not that of a file, which would be told as lost.
    if (isNamed(cause, 'NotFound')) throw new StoreUnavailableError(`there is no bucket ${Bucket}`, { cause })
    await asked('show its bucket', () => Promise.reject(cause as Error))
  }
}
