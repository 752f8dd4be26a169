import type { File, Upload } from '@svc/contract'
import type { Access, Client } from '@svc/sdk'
import type { Playable } from '../decrypted/player-url.ts'

/** Where a viewer gets a file from. */
export interface FileSource {
  /**
   * An address that the browser may fetch by itself, as often and in as many ranges as it likes. Undefined where a fetch
   * uses the file up, or has to show a password or to decrypt.
   */
  readonly address: string | undefined
  /**
   * For a player, where there is no such address: the content in ranges, within a frame. Undefined where the browser has no
   * way for that; then `whole` is asked for.
   */
  readonly play?: (signal: AbortSignal) => Promise<Playable | undefined>
  /** All bytes, with their media type; asked for once. */
  readonly whole: (signal: AbortSignal) => Promise<Blob>
}

/** A file as the server stores it. */
export function storedFile(
  client: Pick<Client, 'fileURL' | 'download'>,
  upload: Upload,
  file: File,
  access: Access,
): FileSource {
  const isOpen = !upload.oneShot && !upload.stream && upload.e2ee === ''
  // Who was let into a protected upload without showing anything is its owner, whose cookie goes along by itself.
  const isShown = access.credentials !== undefined || access.uploadToken !== undefined
  return {
    address: isOpen && !(upload.protectedByPassword && isShown) ? client.fileURL(upload, file) : undefined,
    whole: async (signal) => {
      const response = await client.download(upload, file, { ...access, signal })
      return response.blob()
    },
  }
}
