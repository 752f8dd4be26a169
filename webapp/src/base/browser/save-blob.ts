import { startDownload } from './start-download.ts'

/** ms after which the browser has certainly read the bytes: it does so in the next task. */
const revokeDelay = 60_000

/** Saves bytes or a text of this page as a file. */
export function saveBlob(content: Blob | string, fileName: string): void {
  // As plain bytes, because browsers add an extension for a media type.
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  startDownload(address, fileName)
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, revokeDelay)
}
