import { lastSegment } from '@svc/contract'
import { ApiError, type Access, type LinkedFile, type LinkedUpload } from '@svc/sdk'
import { api } from '../api/api.ts'
import { downloadAccess } from '../api/download-access.ts'
import { bodyOf } from '../encryption/encrypted-file.ts'
import { saveContent } from './save-content.ts'
import type { Content } from './target.ts'
import { withProgress, type StartedDownload } from './start-download.ts'

/** A file of an upload without encryption, or all its files as an archive. */
export interface StoredDownload {
  readonly upload: LinkedUpload
  readonly file: LinkedFile | 'archive'
  /** Bytes; 0 when unknown. */
  readonly size: number
  readonly access: Access
}

export interface SaveStoredOptions {
  /** @param total undefined when unknown */
  readonly onProgress: (bytes: number, total: number | undefined) => void
  readonly signal: AbortSignal
}

/** The bytes of a response. With a reader, because some browsers cannot iterate over a stream. */
export async function* chunksOf(response: Response, signal: AbortSignal): Content {
  const reader = bodyOf(response).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal.throwIfAborted()
        throw new ApiError(0, 'network', 'the connection was cut', { cause })
      })
      if (done) return
      yield value as Uint8Array<ArrayBuffer>
    }
  } finally {
    // A broken stream cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Starts a download.
 * @throws ApiError; the signal's reason
 */
export async function openStored(
  { upload, file, size, access }: StoredDownload,
  signal: AbortSignal,
): Promise<StartedDownload> {
  const options = { ...downloadAccess(upload, access), signal }
  const response = await (file === 'archive'
    ? api.downloadArchive(upload, `${upload.id}.zip`, options)
    : api.download(upload, file, options))
  const length = Number(response.headers.get('content-length') ?? size)
  return { content: chunksOf(response, signal), size: length > 0 ? length : undefined }
}

/**
 * Downloads and saves a file that exists only once. Unlike a link, this page knows why the server refuses, and when all bytes
 * have arrived.
 * @throws ApiError, SavingError; the signal's reason
 */
export async function saveStored(
  download: StoredDownload,
  { onProgress, signal }: SaveStoredOptions,
): Promise<void> {
  const { upload, file, size } = download
  const fileName = file === 'archive' ? `${upload.id}.zip` : lastSegment(file.fileName)
  const open = async (signal: AbortSignal) => {
    const { content, size: total } = await openStored(download, signal)
    onProgress(0, total)
    return { content: withProgress(content, (bytes) => onProgress(bytes, total)), size: total }
  }
  await saveContent({ fileName, size, open }, signal)
}
