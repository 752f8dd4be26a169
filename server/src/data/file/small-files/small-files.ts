import { startSmallFilesThread, type SmallFile, type SmallFilesThread } from './small-files-thread.ts'

/** Bytes of the largest file that is small. */
export const maxSmallFileSize = 16 * 1024

let thread: SmallFilesThread | undefined

/**
 * Stores a complete small file. To dispatch each file system call to Node's thread pool costs the event loop more time than
 * anything but the database. Instead, one thread per process, started on first use, makes the calls of all files of an
 * iteration of the event loop.
 * @throws the error of the file system, with its `code`, after which nothing of the file remains; SmallFilesThreadError
 */
export function storeSmallFile(file: SmallFile): Promise<void> {
  thread ??= startSmallFilesThread(() => {
    thread = undefined
  })
  return thread.store(file)
}
