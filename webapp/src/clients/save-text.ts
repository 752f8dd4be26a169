import { startDownload } from '../base/browser/start-download.ts'

/** Saves a text as a file. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  startDownload(address, fileName)
  // The browser reads the text in the next task; a minute is a safe delay.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 60_000)
}
