import { isManifest, manifestName, type File } from '@svc/contract'
import type { ManifestFile } from '@svc/encryption'
import { waitBeforeRetry, type Client, type RetryPolicy } from '@svc/sdk'
import type { Encryption } from './encryption.ts'
import type { PlainDigests } from './sending/plain-digests.ts'
import { isSent, type CreatedUpload, type SendResult } from './sending/run-upload.ts'

interface Sending {
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
export async function sendManifest(sending: Sending, results: readonly SendResult[]): Promise<string> {
  const { upload, encryption, digests } = sending
  const files: ManifestFile[] = []
  for (const { item, file } of results.filter(isSent))
    files.push({ id: file.id, name: item.name, ...(await digests.of(item)) })
  const { bytes, mark } = await encryption.sealManifest({ upload: upload.id, files })
  await put(sending, bytes)
  return mark
}

async function put({ client, upload, retryPolicy, signal }: Sending, bytes: Uint8Array): Promise<void> {
  let { files } = upload
  for (let failed = 1; ; failed += 1)
    try {
      const fileID = await declaredIn(client, upload, files)
      const { uploadToken, e2ee } = upload
      const source = new Blob([Uint8Array.from(bytes)])
      await client.addFile(upload.id, source, {
        fileName: manifestName,
        fileID,
        uploadToken,
        e2ee,
        signal,
        resumable: false,
      })
      return
    } catch (error) {
      await waitBeforeRetry(retryPolicy, failed, error)
      files = await client.upload(upload.id, upload).then(
        (now) => now.files,
        () => files,
      )
    }
}

/**
 * The declared file that takes the manifest. Removes those of an attempt that may have failed.
 * @returns undefined when the manifest needs a new file
 */
async function declaredIn(
  client: Client,
  upload: CreatedUpload,
  files: readonly File[],
): Promise<string | undefined> {
  const manifests = files.filter(
    (file) => isManifest(upload, file) && file.status !== 'removed' && file.status !== 'deleted',
  )
  const declared = manifests.find(({ status }) => status === 'missing')
  for (const file of manifests) if (file !== declared) await client.removeFile(upload.id, file, upload)
  return declared?.id
}
