import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { uptime } from 'node:os'
import { errorMessage } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import { openOwnFile } from '../files/local-file.ts'
import type { Clock } from '../program/program.ts'

/** Bytes at the beginning of an encrypted file that tell it from any other one: its header has random keys. */
export const headBytes = 4096

/** Bytes of content that age encrypts together: a download resumes between two of them. */
const chunkBytes = 64 * 1024

/**
 * Path of the decrypted content of an incomplete file. It depends on the encrypted file: no server can make a download
 * continue with another one.
 * @param id id of the download
 * @param head the first bytes of the encrypted file
 */
export function decryptedPartPath(path: string, id: string, head: Uint8Array): string {
  const name = createHash('sha256').update(id).update(head).digest('hex').slice(0, 16)
  return `${path}.${name}.part`
}

/**
 * Bytes between two points at which all content is on the disk. At most twice as many are lost with the system. Writing them
 * there takes processor time that the system would spend otherwise, so a fast download does it seldom.
 */
const maxUnsyncedBytes = 512 * 1024 * 1024
/** A slow download writes them more often: after this number of bytes and milliseconds. */
const syncedBytes = 64 * 1024 * 1024
const syncedMs = 5_000

/** The position at which a download continues; 0 without content of an earlier run. */
export async function resumePosition(path: string, clock: Clock): Promise<number> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return 0
  const bootedAt = clock.now() - uptime() * 1000
  // A system that crashed may have lost the last bytes, but not the size.
  const size = stats.mtimeMs < bootedAt ? Math.max(0, stats.size - 2 * maxUnsyncedBytes) : stats.size
  return size - (size % chunkBytes)
}

/** The decrypted content of an incomplete file. */
export interface DecryptedPart {
  readonly position: () => number
  /** @throws Failure */
  readonly append: (bytes: Uint8Array) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * @param start bytes to keep; the rest is cut off
 * @throws Failure
 */
export async function openDecryptedPart(path: string, start: number, clock: Clock): Promise<DecryptedPart> {
  const failed = (error: unknown) => localFailure(`${path}: ${errorMessage(error)}`, error)
  const file = await openOwnFile(path)
  if ((await file.stat()).size !== start) await file.truncate(start)
  let position = start
  let synced = start
  let syncedAt = clock.now()
  let syncing = Promise.resolve()
  const isSyncDue = () => {
    const bytes = position - synced
    return bytes >= maxUnsyncedBytes || (bytes >= syncedBytes && clock.now() - syncedAt >= syncedMs)
  }
  return {
    position: () => position,
    async append(bytes) {
      try {
        for (let at = 0; at < bytes.length;) {
          const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position)
          at += bytesWritten
          position += bytesWritten
        }
        if (!isSyncDue()) return
        await syncing
        synced = position
        syncedAt = clock.now()
        syncing = file.datasync()
        // The next point, or the end, reports an error.
        syncing.catch(() => undefined)
      } catch (error) {
        throw failed(error)
      }
    },
    async close() {
      try {
        await syncing
      } finally {
        await file.close()
      }
    },
  }
}
