import { ageScheme, type File, type Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { api } from '../../api/api.ts'
import { fileKind } from '../../ui/file/file-kind.ts'
import type { ThumbnailSource } from '../../thumbnails/thumbnails.ts'
import { isFreeToLoad } from '../../viewers/free-to-load.ts'
import { availability } from '../files/file-state.ts'

/** Maximum bytes of an image that the page loads for a tile of a list, and for the preview of the only file. */
const maxBytes = { tile: 500_000, preview: 3_000_000 } as const

/** What opens the previews of a page's upload. */
export interface PreviewAccess {
  readonly access: () => Access
  /** Of an encrypted upload, as far as the page has it. */
  readonly key: () => string | undefined
}

/** Pictures of stored files: their previews, or small images themselves. */
export function useReceivedThumbnails({ access, key: keyOf }: PreviewAccess) {
  /** One source for each file, look and key, while the upload is refreshed. */
  const sources = new Map<string, ThumbnailSource>()
  const remembered = (id: string, source: ThumbnailSource) => {
    const known = sources.get(id) ?? source
    sources.set(id, known)
    return known
  }

  const previewOf = (upload: Upload, file: File, look: ThumbnailSource['look']) => {
    const key = upload.e2ee === '' ? undefined : keyOf()
    const canOpen = upload.e2ee === '' || (upload.e2ee === ageScheme && key !== undefined)
    if (!canOpen) return undefined
    return remembered(`${look}/${file.id}/${key ?? ''}`, {
      // The preview of a video is an image, too.
      kind: 'image',
      look,
      open: async (signal) => {
        const { openPreview } = await import('../../previews/open-preview.ts')
        return openPreview({ upload, file, access: access(), key }, signal)
      },
    })
  }

  return (upload: Upload, file: File, look: ThumbnailSource['look']): ThumbnailSource | undefined => {
    if (availability(file, upload) !== 'ready') return undefined
    if (file.preview === true) return previewOf(upload, file, look)
    const isShown =
      isFreeToLoad(upload) &&
      fileKind({ type: file.type, name: file.fileName }) === 'image' &&
      file.fileSize <= maxBytes[look]
    if (!isShown) return undefined
    return remembered(`${look}/${file.id}`, {
      kind: 'image',
      look,
      open: async (signal) => (await api.download(upload, file, { signal })).blob(),
    })
  }
}
