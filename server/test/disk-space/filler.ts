import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** The file that fills a disk. */
export const fillerOn = (folder: string): string => join(folder, 'filler')

/** Leaves some bytes of a disk free, of those too that are kept for root. */
export async function leaveFree(folder: string, free: number): Promise<void> {
  const file = await open(fillerOn(folder), 'a')
  try {
    const { size } = await file.stat()
    const { bfree, bsize } = await statfs(folder)
    const more = bfree * bsize - free
    if (more > 0) await file.appendFile(Buffer.alloc(more)).catch(() => undefined)
    else await file.truncate(size + more)
    await file.sync().catch(() => undefined)
  } finally {
    await file.close()
  }
}
