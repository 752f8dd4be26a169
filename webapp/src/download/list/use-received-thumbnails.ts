import type { File, Upload } from '@svc/contract'
import { api } from '../../api/api.ts'
import { fileKind } from '../../ui/file/file-kind.ts'
import type { ThumbnailSource } from '../../thumbnails/thumbnails.ts'
import { isFreeToLoad } from '../../viewers/free-to-load.ts'
import { availability } from '../files/file-state.ts'

/** Maximum bytes of an image that the page loads for a tile of a list, and for the preview of the only file. */
const maxBytes = { tile: 500_000, preview: 3_000_000 } as const

/** Pictures of small stored images. */
export function useReceivedThumbnails() {
  /** One source for each file and look, while the upload is refreshed. */
  const sources = new Map<string, ThumbnailSource>()
  return (upload: Upload, file: File, look: ThumbnailSource['look']): ThumbnailSource | undefined => {
    const isShown =
      isFreeToLoad(upload) &&
      availability(file, upload) === 'ready' &&
      fileKind({ type: file.type, name: file.fileName }) === 'image' &&
      file.fileSize <= maxBytes[look]
    if (!isShown) return undefined
    const id = `${look}/${file.id}`
    const source = sources.get(id) ?? {
      kind: 'image',
      look,
      open: async (signal) => (await api.download(upload, file, { signal })).blob(),
    }
    sources.set(id, source)
    return source
  }
}
