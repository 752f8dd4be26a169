import { isManifest } from '@svc/contract'
import { passphraseKey, encryptManifest } from '@svc/encryption'
import { putManifest, withRetries, type RetryPolicy, type UploadRef } from '@svc/sdk'
import { api } from '../../api/api.ts'
import { waitUntilOnline } from '../../api/wait-until-online.ts'
import { sharedEngine } from '../../encryption/shared-engine.ts'
import type { SentContents } from '../../sent/store/sent-contents.ts'

/** A manifest that is not sent makes the files unusable, so the page is patient. */
const retryPolicy: RetryPolicy = { retries: 10, wait: waitUntilOnline }

export interface ManifestOf {
  readonly upload: UploadRef
  readonly passphrase: string
  readonly contents: SentContents
}

const filesOf = ({ id, uploadToken }: UploadRef) =>
  withRetries(retryPolicy, async () => (await api.upload(id, { uploadToken })).files)

/**
 * Sends the manifest of the files that the server has.
 * @returns the names of files that were sent and that the server does not have any more
 * @throws ApiError, EncryptionError
 */
export async function sendManifest({ upload, passphrase, contents }: ManifestOf): Promise<readonly string[]> {
  const listed = await filesOf(upload)
  const stored = new Set(listed.filter(({ status }) => status === 'uploaded').map(({ id }) => id))
  const sent = [...contents.all().values()]
  const encrypted = await encryptManifest(
    { upload: upload.id, files: sent.filter(({ id }) => stored.has(id)) },
    passphraseKey(passphrase),
    sharedEngine(),
  )
  await putManifest(api, { upload, files: listed, bytes: encrypted.bytes }, retryPolicy)
  contents.forget()
  return sent.filter(({ id }) => !stored.has(id)).map(({ name }) => name)
}

/** Removes the manifest that was declared and is not sent. */
export async function removeManifest({ upload, contents }: Omit<ManifestOf, 'passphrase'>): Promise<void> {
  const { id, uploadToken } = upload
  for (const file of await filesOf(upload))
    if (isManifest(upload, file) && file.status !== 'removed' && file.status !== 'deleted')
      await api.removeFile(id, file, { uploadToken })
  contents.forget()
}
