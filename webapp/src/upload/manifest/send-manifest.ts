import { isManifest, manifestName, type File } from '@svc/contract'
import { passphraseLock, sealManifest } from '@svc/encryption'
import { waitBeforeRetry, type UploadRef } from '@svc/sdk'
import { api } from '../../api/api.ts'
import { waitUntilOnline } from '../../api/wait-until-online.ts'
import { sharedEngine } from '../../encryption/shared-engine.ts'
import type { SentContents } from '../../sent/store/sent-contents.ts'

/** Maximum number of consecutive attempts that fail. */
const retries = 10

export interface ManifestOf {
  readonly upload: UploadRef
  readonly passphrase: string
  readonly contents: SentContents
}

/** @throws the last error */
async function repeatedly<Result>(attempt: (failed: number) => Promise<Result>): Promise<Result> {
  for (let failed = 0; ;)
    try {
      return await attempt(failed)
    } catch (error) {
      failed += 1
      await waitBeforeRetry({ retries, wait: waitUntilOnline }, failed, error)
    }
}

const isThere = ({ status }: Pick<File, 'status'>) => status !== 'removed' && status !== 'deleted'

const manifestsIn = (upload: UploadRef, files: readonly File[]) =>
  files.filter((file) => isManifest(upload, file) && isThere(file))

const filesOf = async ({ id, uploadToken }: UploadRef) => (await api.upload(id, { uploadToken })).files

/** Sends the bytes as the declared manifest. Those of attempts that were interrupted are removed. */
async function put(upload: UploadRef, bytes: Blob): Promise<void> {
  const { id, e2ee, uploadToken } = upload
  await repeatedly(async (failed) => {
    const manifests = manifestsIn(upload, await filesOf(upload))
    // Only the response to the attempt before was lost.
    const hasArrived = ({ status, fileSize }: File) => status === 'uploaded' && fileSize === bytes.size
    if (failed > 0 && manifests.some(hasArrived)) return
    const fileID = manifests.find(({ status }) => status === 'missing')?.id
    await api.addFile(id, bytes, { fileName: manifestName, fileID, uploadToken, e2ee, resumable: false })
    for (const old of manifests.filter((file) => file.id !== fileID))
      await api.removeFile(id, old, { uploadToken })
  })
}

/**
 * Sends the manifest of the files that the server has.
 * @returns the names of files that were sent and that the server does not have any more
 * @throws ApiError, EncryptionError
 */
export async function sendManifest({ upload, passphrase, contents }: ManifestOf): Promise<readonly string[]> {
  const listed = await repeatedly(() => filesOf(upload))
  const stored = new Set(listed.filter(({ status }) => status === 'uploaded').map(({ id }) => id))
  const sent = [...contents.all().values()]
  const sealed = await sealManifest(
    { upload: upload.id, files: sent.filter(({ id }) => stored.has(id)) },
    passphraseLock(passphrase),
    sharedEngine(),
  )
  await put(upload, new Blob([Uint8Array.from(sealed.bytes)]))
  contents.forget()
  return sent.filter(({ id }) => !stored.has(id)).map(({ name }) => name)
}

/** Removes the manifest that was declared and is not sent. */
export async function removeManifest({ upload, contents }: Omit<ManifestOf, 'passphrase'>): Promise<void> {
  const { id, uploadToken } = upload
  for (const manifest of manifestsIn(upload, await filesOf(upload)))
    await api.removeFile(id, manifest, { uploadToken })
  contents.forget()
}
