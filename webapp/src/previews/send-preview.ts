import { limits } from '@svc/contract'
import { createTaskQueue, type UploadRef } from '@svc/sdk'
import { api } from '../api/api.ts'
import type { LoadConfigurationOnce } from '../api/use-configuration.ts'
import { fileKind } from '../ui/file/file-kind.ts'
import { drawPreview } from './draw-preview.ts'
import type { PreviewKey, PreviewOptions } from './preview-options.ts'

/** A file that was sent from this device. */
export interface PreviewedFile {
  readonly id: string
  /** Name in the upload. */
  readonly name: string
  /** Name on this device. */
  readonly label: string
  readonly blob: Blob
}

/** One at a time: files are more urgent. It limits the work of the browser, and keeps no state. */
const queue = createTaskQueue(1)

const isOffered = async (
  { oneShot, maxDownloads, stream }: UploadRef,
  loadConfigurationOnce: LoadConfigurationOnce,
): Promise<boolean> =>
  oneShot !== true &&
  maxDownloads === undefined &&
  !stream &&
  (await loadConfigurationOnce())?.feature_previews === 'enabled'

/** The encryption of a preview, or none. Undefined if the file gets no preview. */
const previewEncoding = async (key: PreviewKey | undefined) =>
  key === undefined
    ? { maxBytes: limits.previewBytes, encode: (preview: Blob) => preview }
    : (await import('./encrypt-preview.ts')).prepareEncryptedPreview(key)

async function send(
  { id, name, label, blob }: PreviewedFile,
  upload: UploadRef,
  { key, loadConfigurationOnce }: PreviewOptions,
): Promise<void> {
  const kind = fileKind({ type: blob.type, name: label })
  if ((kind !== 'image' && kind !== 'video') || !(await isOffered(upload, loadConfigurationOnce))) return
  const encoding = await previewEncoding(key)
  if (encoding === undefined) return
  const { maxBytes, encode } = encoding
  const drawn = await drawPreview(blob, { kind, maxBytes }, new AbortController().signal)
  if (drawn === undefined) return
  const preview = await encode(drawn)
  // The server refuses it, and the page of an upload loads such a small file anyway.
  if (preview.size > blob.size) return
  await api.addPreview(upload.id, { id, fileName: name }, preview, { uploadToken: upload.uploadToken })
}

/** Adds the preview of a sent image or video to its upload, some time later. A file whose preview fails is shared without one. */
export function sendPreview(file: PreviewedFile, upload: UploadRef, options: PreviewOptions): void {
  queue.add(() => send(file, upload, options).catch(() => undefined))
}
