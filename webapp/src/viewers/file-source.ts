import type { File, Upload } from '@svc/contract'
import type { Access, Client } from '@svc/sdk'
import type { Playable } from '../saving/player-url.ts'

/** What a player shows of a file. */
export interface PlayedContent {
  /** True where the file has a manifest, and what is played of it is not compared with it. */
  readonly isUnverified: boolean
}

/** The source of a viewer's file. */
export interface FileSource {
  /**
   * An address that the browser can fetch repeatedly and in ranges. Undefined where a download consumes the file, needs a
   * password, or needs decryption.
   */
  readonly address: string | undefined
  /**
   * For a player without such an address: the content in ranges, within a frame. Undefined where the browser does not support
   * it; then the viewer uses `whole`.
   */
  readonly play?: (signal: AbortSignal) => Promise<(Playable & PlayedContent) | undefined>
  /** All bytes, with their media type. Called once. */
  readonly whole: (signal: AbortSignal) => Promise<Blob>
}

/** A file as the server stores it. */
export function storedFile(
  api: Pick<Client, 'fileURL' | 'download'>,
  upload: Upload,
  file: File,
  access: Access,
): FileSource {
  const isOpen = upload.maxDownloads === undefined && !upload.stream && upload.e2ee === ''
  // Access to a protected upload without credentials means the owner, whose cookie the browser sends.
  const isShown = access.credentials !== undefined || access.uploadToken !== undefined
  return {
    address: isOpen && !(upload.protectedByPassword && isShown) ? api.fileURL(upload, file) : undefined,
    whole: async (signal) => {
      const response = await api.download(upload, file, { ...access, signal })
      return response.blob()
    },
  }
}
