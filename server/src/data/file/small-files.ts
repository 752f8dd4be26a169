import { startSmallFilesThread, type SmallFile, type SmallFilesThread } from './small-files-thread.ts'

/** Bytes of the largest file that is small. */
export const mostOfSmall = 16 * 1024

let thread: SmallFilesThread | undefined

/**
 * Stores a whole small file. To hand each call for it to the threads of Node's file system took the event loop longer
 * than anything else but the database: here a thread makes them all, woken once for all files of a turn. There is one
 * for the process, started when it is first needed.
 * @throws the error of the file system, with its `code`; then nothing of the file is left. SmallFilesThreadError
 */
export function storeSmallFile(file: SmallFile): Promise<void> {
  thread ??= startSmallFilesThread(() => {
    thread = undefined
  })
  return thread.store(file)
}
