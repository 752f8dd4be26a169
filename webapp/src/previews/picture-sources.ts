import type { Access } from '@svc/sdk'
import type { ThumbnailSource } from '../thumbnails/use-thumbnails.ts'
import type { PicturedFile } from './open-picture.ts'

interface PictureOf extends Omit<PicturedFile, 'access'> {
  /** Read when the picture is loaded. */
  readonly access: () => Access
  readonly look: ThumbnailSource['look']
}

/** Pictures of stored files for a list: one source for each file, look and key, while the list is refreshed. */
export function pictureSources(): (picture: PictureOf) => ThumbnailSource {
  const sources = new Map<string, ThumbnailSource>()
  return ({ look, access, ...pictured }) => {
    const id = `${look}/${pictured.file.id}/${String(pictured.key)}`
    const source = sources.get(id) ?? {
      // The preview of a video is an image, too.
      kind: 'image',
      look,
      open: async (signal) =>
        (await import('./open-picture.ts')).openPicture({ ...pictured, access: access() }, signal),
    }
    sources.set(id, source)
    return source
  }
}
