import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorMessage, systemCode } from '../errors/error-message.ts'
import { makeDirectories } from '../files/make-directories.ts'
import { localFailure } from '../errors/failure.ts'

/**
 * Appends lines to a file of svc's state, which only its owner can read. They survive a power cut once it resolves. One write
 * carries them, because several commands may run at the same time.
 * @throws errors of the system
 */
export async function appendDurably(path: string, lines: string): Promise<void> {
  await makeDirectories(dirname(path), 0o700)
  await using file = await open(path, 'a+', 0o600)
  const { size } = await file.stat()
  // A crash may have left a part of a line behind.
  const last = size === 0 ? undefined : await file.read(Buffer.alloc(1), 0, 1, size - 1)
  await file.write(last === undefined || last.buffer.toString() === '\n' ? lines : `\n${lines}`)
  await file.datasync()
  if (size === 0) await syncFolder(dirname(path))
}

/**
 * Lines of a file that `appendDurably` writes; none without a file.
 * @throws Failure if it cannot be read
 */
export async function readLines(path: string): Promise<readonly string[]> {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    // A device may have no end.
    if (!stats.isFile()) throw localFailure(stats.isDirectory() ? 'is a folder' : 'not a file')
    return (await file.readFile('utf8')).split('\n')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw localFailure(`${path} cannot be read: ${errorMessage(error)}`, error)
  }
}

/** Makes the name of a new file durable. Not all systems can open folders. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path)
    await folder.sync()
  } catch {
    // The content is durable, and most systems soon write the name.
  }
}
