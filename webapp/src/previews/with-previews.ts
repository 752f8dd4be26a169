import type { QueuedFile } from '@svc/sdk'
import type { PreviewOptions } from './preview-options.ts'

/**
 * Files that get a preview once they are stored.
 * @param blobs the files on this device, by key
 */
export const withPreviews = (
  queued: readonly QueuedFile[],
  blobs: ReadonlyMap<string, Blob>,
  options: PreviewOptions,
): QueuedFile[] =>
  queued.map((file) => ({
    ...file,
    onSent: (id, upload) => {
      file.onSent?.(id, upload)
      const blob = blobs.get(file.key)
      if (blob === undefined) return
      // The files are sent without them, too.
      void import('./send-preview.ts')
        .then(({ sendPreview }) => {
          const { name, label = name } = file
          sendPreview({ id, name, label, blob }, upload, options)
        })
        .catch(() => undefined)
    },
  }))
