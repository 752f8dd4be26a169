import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Appends lines to a file of svc's state, which only its owner can read. They survive a power cut once it resolves. One write
 * carries them, because several commands may run at the same time.
 * @throws errors of the system
 */
export async function appendDurably(path: string, lines: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await using file = await open(path, 'a+', 0o600)
  const { size } = await file.stat()
  // A crash may have left a part of a line behind.
  const last = size === 0 ? undefined : await file.read(Buffer.alloc(1), 0, 1, size - 1)
  await file.write(last === undefined || last.buffer.toString() === '\n' ? lines : `\n${lines}`)
  await file.datasync()
  if (size === 0) await syncFolder(dirname(path))
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
