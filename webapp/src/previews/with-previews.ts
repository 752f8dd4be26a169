import type { QueuedFile } from '@svc/sdk'

/**
 * Files that get a preview once they are stored.
 * @param blobs the files on this device, by key
 * @param passphrase of an encrypted upload
 */
export const withPreviews = (
  queued: readonly QueuedFile[],
  blobs: ReadonlyMap<string, Blob>,
  passphrase: string | undefined,
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
          sendPreview({ id, name: file.name, blob }, upload, passphrase)
        })
        .catch(() => undefined)
    },
  }))
