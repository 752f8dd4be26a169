import { SavingError, type Target } from './target.ts'

/** Maximum bytes in the memory of a page. */
export const maxMemoryBytes = 512_000_000

const tooLarge = () => new SavingError('too_large', 'the file is too large for the memory of this page')

/** ms after which the browser has certainly read the blob. */
const revokeDelay = 60_000

/**
 * Collects a file in memory and saves it when it is complete: the last resort.
 * @param size bytes; undefined when unknown
 * @param handOver makes the browser save an address under a name
 * @throws SavingError `too_large`
 */
export function memoryTarget(
  fileName: string,
  size: number | undefined,
  handOver: (url: string, fileName: string) => void,
): Target {
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
      const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }))
      handOver(url, fileName)
      setTimeout(() => {
        URL.revokeObjectURL(url)
      }, revokeDelay)
    },
    cancel: () => Promise.resolve(),
  }
}
