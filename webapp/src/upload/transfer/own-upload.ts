import { canHaveManifest, manifestName, servesManifest } from '@svc/contract'
import type { QueuedFile } from '@svc/sdk'
import { api } from '../../api/api.ts'
import { encryptedSize } from '../../encryption/encrypted-size.ts'
import type { PreviewOptions } from '../../previews/preview-options.ts'
import { withPreviews } from '../../previews/with-previews.ts'
import type { SentUploads } from '../../sent/store/sent-uploads.ts'
import type { ManifestTransfer } from '../manifest/manifest-transfer.ts'
import type { SelectedFile } from '../draft/selected-files.ts'
import { queuedEncryptedFile, queuedFile, type EncryptedQueueOptions } from './queued-file.ts'
import type { PreparedUpload, Sendable } from './prepared-upload.ts'

type OnContent = EncryptedQueueOptions['onContent']

/** Files as they are sent. The encryption is loaded on use. */
async function queuedFiles(
  files: readonly SelectedFile[],
  passphrase: string | undefined,
  onContent?: OnContent,
): Promise<QueuedFile[]> {
  if (passphrase === undefined) return files.map(queuedFile)
  const { createEncryptor } = await import('../../encryption/encryptor.ts')
  const queueOptions = { encryptor: createEncryptor(passphrase), encryptedSize, onContent }
  return files.map((file) => queuedEncryptedFile(file, queueOptions))
}

/** Files of an upload whose page shows previews. */
export const queueFilesWithPreviews = async (
  files: readonly SelectedFile[],
  passphrase: string | undefined,
  {
    loadConfigurationOnce,
    onContent,
  }: Pick<PreviewOptions, 'loadConfigurationOnce'> & { readonly onContent?: OnContent },
) =>
  withPreviews(
    await queuedFiles(files, passphrase, onContent),
    new Map(files.map(({ key, blob }) => [key, blob])),
    { loadConfigurationOnce, key: passphrase === undefined ? undefined : { passphrase } },
  )

/** The stores of the page that sends. */
interface OwnUploadStores extends Pick<PreviewOptions, 'loadConfigurationOnce'> {
  readonly sent: Pick<SentUploads, 'find' | 'setManifest'>
}

/** What a visitor sends in a new upload. */
export async function ownUpload(
  { files, options, passphrase }: Sendable,
  { sent, loadConfigurationOnce }: OwnUploadStores,
): Promise<PreparedUpload> {
  if (passphrase === undefined || !canHaveManifest(options))
    return {
      files: await queueFilesWithPreviews(files, passphrase, { loadConfigurationOnce }),
      create: (declared) => api.createUpload({ ...options, files: declared }),
    }
  const { createManifestTransfer } = await import('../manifest/manifest-transfer.ts')
  let manifest: ManifestTransfer | undefined
  return {
    files: await queueFilesWithPreviews(files, passphrase, {
      loadConfigurationOnce,
      onContent: (content) => manifest?.contents.add(content),
    }),
    create: async (declared) => {
      // The server has a place for the manifest from the beginning.
      const place = { reference: 'manifest', fileName: manifestName }
      const upload = await api.createUpload({ ...options, files: [...declared, place] })
      if (servesManifest(upload)) manifest = createManifestTransfer({ upload, passphrase }, sent)
      return upload
    },
    manifest: () => manifest,
  }
}
