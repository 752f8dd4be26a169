import { pictureSources } from '../../previews/picture-sources.ts'
import type { ThumbnailSource } from '../../thumbnails/use-thumbnails.ts'
import type { ReceivedFile } from './received.ts'
import type { ReceivedDownload } from './save-received.ts'

/**
 * Pictures of received files: the previews that their senders have added. Files without one are not loaded for a picture,
 * because their downloads are in the activity.
 */
export function useReceivedPreviews(from: () => ReceivedDownload) {
  const sourceOf = pictureSources()
  return ({ file, uploadID, e2ee }: ReceivedFile): ThumbnailSource | undefined => {
    const { identity } = from()
    const canOpen = e2ee === '' || identity !== undefined
    if (file.status !== 'uploaded' || file.preview !== true || !canOpen) return undefined
    return sourceOf({
      upload: { id: uploadID, e2ee },
      file,
      key: identity,
      look: 'tile',
      access: () => from().access,
    })
  }
}
