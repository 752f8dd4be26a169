import { isManifest, manifestName, type File } from '@svc/contract'
import type { Client } from '../api/client.ts'
import { withRetries, type RetryPolicy } from '../retry/retry-policy.ts'
import type { UploadRef } from './file-slot.ts'

export interface ManifestToSend {
  readonly upload: UploadRef
  /** The files of the upload, as the caller knows them before the first attempt. */
  readonly files: readonly File[]
  readonly bytes: Uint8Array
}

type ManifestClient = Pick<Client, 'addFile' | 'removeFile' | 'upload'>

/**
 * Sends the manifest of an encrypted upload in place of the declared one, or else as a new file. Those of interrupted attempts
 * are removed.
 * @throws ApiError, the reason of the policy's signal
 */
export async function putManifest(
  client: ManifestClient,
  { upload, files, bytes }: ManifestToSend,
  policy: RetryPolicy,
): Promise<void> {
  const { id, e2ee, uploadToken } = upload
  const content = new Blob([Uint8Array.from(bytes)])
  const put = async (listed: readonly File[], isRepeated: boolean) => {
    const manifests = listed.filter(
      (file) => isManifest(upload, file) && file.status !== 'removed' && file.status !== 'deleted',
    )
    // Only the response to the attempt before was lost.
    const hasArrived = ({ status, fileSize }: File) => status === 'uploaded' && fileSize === content.size
    if (isRepeated && manifests.some(hasArrived)) return
    const declared = manifests.find(({ status }) => status === 'missing')
    for (const old of manifests) if (old !== declared) await client.removeFile(id, old, { uploadToken })
    await client.addFile(id, content, {
      fileName: manifestName,
      fileID: declared?.id,
      uploadToken,
      e2ee,
      signal: policy.signal,
      resumable: false,
    })
  }
  await withRetries(policy, async (failures) => {
    await put(failures === 0 ? files : (await client.upload(id, { uploadToken })).files, failures > 0)
  })
}
