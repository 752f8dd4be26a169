import { MissingContainerError } from '../../backend/backend.ts'
import type { S3 } from './client.ts'
import { callStore, isNamed } from './failures.ts'

/**
 * Resolves when the bucket exists and accepts our credentials.
 * @throws StoreUnavailableError, the reason of the signal
 */
export async function pingBucket({ sdk, probeClient, options }: S3, signal: AbortSignal): Promise<void> {
  const Bucket = options.bucket
  try {
    await probeClient.send(new sdk.HeadBucketCommand({ Bucket }), { abortSignal: signal })
  } catch (cause) {
    signal.throwIfAborted()
    // Not MissingDataError, which reports a lost file.
    if (isNamed(cause, 'NotFound')) throw new MissingContainerError('bucket', Bucket, 'Bucket')
    await callStore('find its bucket', () => Promise.reject(cause as Error))
  }
}
