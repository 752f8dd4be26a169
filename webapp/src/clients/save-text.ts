import { startDownload } from '../base/start-download.ts'

/** Lets the browser save a text as a file. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  startDownload(address, fileName)
  // The browser has taken hold of the text by the next turn of its loop; a minute is on the safe side.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 60_000)
}
