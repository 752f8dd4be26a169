import { limits } from '@svc/contract'
import { createTaskQueue, type UploadRef } from '@svc/sdk'
import { api } from '../api/api.ts'
import { useConfiguration } from '../api/use-configuration.ts'
import { encryptedSize } from '../encryption/encrypted-size.ts'
import { fileKind } from '../ui/file/file-kind.ts'
import { drawPreview } from './draw-preview.ts'

/** A file that was sent from this device. */
export interface SentFile {
  readonly id: string
  readonly name: string
  readonly blob: Blob
}

/** One at a time: files are more urgent. */
const queue = createTaskQueue(1)

const isOffered = async ({ oneShot, maxDownloads, stream }: UploadRef): Promise<boolean> =>
  oneShot !== true &&
  maxDownloads === undefined &&
  !stream &&
  (await useConfiguration().known())?.feature_previews === 'enabled'

async function send({ id, name, blob }: SentFile, upload: UploadRef, passphrase: string | undefined) {
  const kind = fileKind({ type: blob.type, name })
  if ((kind !== 'image' && kind !== 'video') || !(await isOffered(upload))) return
  const maxBytes = limits.previewBytes - (passphrase === undefined ? 0 : encryptedSize(0))
  const drawn = await drawPreview(blob, { kind, maxBytes }, new AbortController().signal)
  if (drawn === undefined) return
  const preview =
    passphrase === undefined
      ? drawn
      : await (await import('./seal-preview.ts')).sealPreview(drawn, passphrase)
  // The server refuses it, and the page loads such a small file anyway.
  if (preview === undefined || preview.size > blob.size) return
  await api.addPreview(upload.id, { id, fileName: name }, preview, { uploadToken: upload.uploadToken })
}

/**
 * Adds the preview of a sent image or video to its upload, some time later. A file whose preview fails is shared without one.
 * @param passphrase of an encrypted upload
 */
export function sendPreview(file: SentFile, upload: UploadRef, passphrase: string | undefined): void {
  queue.add(() => send(file, upload, passphrase).catch(() => undefined))
}
