import type { ManifestFile } from '@svc/encryption'
import { putManifest, type Client, type RetryPolicy } from '@svc/sdk'
import type { Encryption } from './encryption.ts'
import type { PlainDigests } from './sending/plain-digests.ts'
import { isSent, type CreatedUpload, type SendResult } from './sending/run-upload.ts'

interface ManifestUpload {
  readonly client: Client
  readonly upload: CreatedUpload
  readonly encryption: Encryption
  readonly digests: PlainDigests
  readonly retryPolicy: RetryPolicy
  readonly signal: AbortSignal
}

/**
 * Sends the manifest of the files that have arrived.
 * @returns the mark for the link
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendManifest(context: ManifestUpload, results: readonly SendResult[]): Promise<string> {
  const { client, upload, encryption, digests, retryPolicy, signal } = context
  const files: ManifestFile[] = []
  for (const { item, file } of results.filter(isSent))
    files.push({ id: file.id, name: item.name, ...(await digests.digestOf(item)) })
  const { bytes, mark } = await encryption.encryptManifest({ upload: upload.id, files })
  await putManifest(client, { upload, files: upload.files, bytes }, { ...retryPolicy, signal })
  return mark
}
