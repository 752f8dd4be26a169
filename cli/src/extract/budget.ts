import { roughSize } from '@svc/terminal'
import { Failure } from '../errors/failure.ts'

/** Limits the unpacked size of an archive, so that a small file cannot fill the disk. */
export interface Budget {
  /**
   * Counts unpacked bytes.
   * @throws Failure
   */
  take(bytes: number): void
  /**
   * Counts a file or folder.
   * @throws Failure
   */
  takeMember(): void
}

/** Bytes that an archive of any size may contain. */
const alwaysAllowed = 1_000_000_000
/** Maximum compression ratio. Texts reach about 20. */
const ratio = 200
const maxMembers = 100_000

/**
 * @param archiveBytes size of the archive
 * @param freeBytes free space of the disk
 */
export function createBudget(archiveBytes: number, freeBytes: number): Budget {
  const maxBytes = Math.max(alwaysAllowed, archiveBytes * ratio)
  let bytes = 0
  let members = 0
  return {
    take(more) {
      bytes += more
      if (bytes > maxBytes)
        throw new Failure(
          `the archive of ${roughSize(archiveBytes)} unpacks to more than ${roughSize(maxBytes)}`,
        )
      if (bytes > freeBytes)
        throw new Failure(`the archive unpacks to more than the free ${roughSize(freeBytes)}`)
    },
    takeMember() {
      members += 1
      if (members > maxMembers)
        throw new Failure(`the archive contains more than ${String(maxMembers)} files`)
    },
  }
}
