import { saveBlob } from '../base/browser/save-blob.ts'
import { SavingError, type Target } from './target.ts'

/** Maximum bytes in the memory of a page. */
export const maxMemoryBytes = 512_000_000

const tooLarge = () => new SavingError('too_large', 'the file is too large for the memory of this page')

/**
 * Collects a file in memory and saves it when it is complete: the last resort.
 * @param size bytes; undefined when unknown
 * @throws SavingError `too_large`
 */
export function memoryTarget(fileName: string, size: number | undefined): Target {
  if (size !== undefined && size > maxMemoryBytes) throw tooLarge()
  return {
    save: async ({ content, signal }) => {
      const parts: Blob[] = []
      let bytes = 0
      for await (const chunk of content) {
        signal.throwIfAborted()
        bytes += chunk.length
        if (bytes > maxMemoryBytes) throw tooLarge()
        parts.push(new Blob([chunk]))
      }
      saveBlob(new Blob(parts), fileName)
    },
    cancel: () => Promise.resolve(),
  }
}
