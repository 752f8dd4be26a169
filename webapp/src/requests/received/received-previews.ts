import type { ThumbnailSource } from '../../thumbnails/use-thumbnails.ts'
import type { ReceivedFile } from './received.ts'
import type { ReceivedDownload } from './save-received.ts'

/**
 * Pictures of received files: the previews that their senders have added. Files without one are not loaded for a picture,
 * because their downloads are in the activity.
 */
export function useReceivedPreviews(from: () => ReceivedDownload) {
  /** One source for each file and key, while the list is refreshed. */
  const sources = new Map<string, ThumbnailSource>()
  return ({ file, uploadID, e2ee }: ReceivedFile): ThumbnailSource | undefined => {
    const { access, identity } = from()
    const canOpen = e2ee === '' || identity !== undefined
    if (file.status !== 'uploaded' || file.preview !== true || !canOpen) return undefined
    const id = `${file.id}/${String(identity)}`
    const source = sources.get(id) ?? {
      // The preview of a video is an image, too.
      kind: 'image',
      look: 'tile',
      open: async (signal) =>
        (await import('../../previews/open-picture.ts')).openPicture(
          { upload: { id: uploadID, e2ee }, file, access, key: identity },
          signal,
        ),
    }
    sources.set(id, source)
    return source
  }
}
