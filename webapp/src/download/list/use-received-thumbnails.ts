import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { fileKind } from '../../ui/file/file-kind.ts'
import { pictureSources } from '../../previews/picture-sources.ts'
import type { ThumbnailSource } from '../../thumbnails/use-thumbnails.ts'
import { isFreeToLoad } from '../../viewers/free-to-load.ts'
import { availability } from '../../base/file-state.ts'

/** Maximum bytes of an image that the page loads for a tile of a list, and for the preview of the only file. */
const maxBytes = { tile: 500_000, preview: 3_000_000 } as const

/** What opens the previews of a page's upload. */
export interface PreviewAccess {
  readonly access: () => Access
  /** Of an encrypted upload, as far as the page has it. */
  readonly key: () => string | undefined
}

/** Pictures of stored files: their previews, or small images themselves. */
export function useReceivedThumbnails(opened: PreviewAccess) {
  const sourceOf = pictureSources()
  return (upload: Upload, file: File, look: ThumbnailSource['look']): ThumbnailSource | undefined => {
    const key = upload.e2ee === '' ? '' : opened.key()
    const isShown =
      availability(file, upload) === 'ready' &&
      (file.preview
        ? key !== undefined
        : isFreeToLoad(upload) &&
          fileKind({ type: file.type, name: file.fileName }) === 'image' &&
          file.fileSize <= maxBytes[look])
    return isShown ? sourceOf({ upload, file, key, look, access: opened.access }) : undefined
  }
}
