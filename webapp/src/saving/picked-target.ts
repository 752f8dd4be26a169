import { SavingError, type Target } from './target.ts'

/** The File System Access API, which the types of the DOM lack. */
type Handle = FileSystemFileHandle & { readonly remove?: () => Promise<void> }
type Picker = (options: { readonly suggestedName: string }) => Promise<Handle>

const pickerOf = () => (globalThis as { readonly showSaveFilePicker?: Picker }).showSaveFilePicker

/**
 * A file that the user picks. It gets its content only when all bytes are verified.
 * @returns undefined where the browser lacks the picker, or refuses it now
 * @throws SavingError `given_up`
 */
export async function pickTarget(suggestedName: string): Promise<Target | undefined> {
  const pick = pickerOf()
  if (pick === undefined) return undefined
  let handle: Handle
  try {
    handle = await pick({ suggestedName })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError')
      throw new SavingError('given_up', 'no place was chosen', error)
    return undefined
  }
  // The picker has made an empty file.
  const cancel = async () => {
    try {
      await handle.remove?.()
    } catch {
      // The empty file stays.
    }
  }
  return {
    save: async ({ content, signal }) => {
      const file = await handle.createWritable()
      try {
        for await (const bytes of content) {
          signal.throwIfAborted()
          await file.write(bytes)
        }
        await file.close()
      } catch (error) {
        await file.abort().catch(() => undefined)
        await cancel()
        throw error
      }
    },
    cancel,
  }
}
