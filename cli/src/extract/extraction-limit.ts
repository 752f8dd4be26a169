import { roughSize } from '@svc/terminal'
import { Failure } from '../errors/failure.ts'

/** Limits the unpacked size of an archive, so that a small file cannot fill the disk. */
export interface ExtractionLimit {
  /**
   * Counts unpacked bytes.
   * @throws Failure
   */
  addBytes(bytes: number): void
  /**
   * Counts a file or folder.
   * @throws Failure
   */
  addMember(): void
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
export function createExtractionLimit(archiveBytes: number, freeBytes: number): ExtractionLimit {
  const maxBytes = Math.max(alwaysAllowed, archiveBytes * ratio)
  let bytes = 0
  let members = 0
  return {
    addBytes(more) {
      bytes += more
      if (bytes > maxBytes)
        throw new Failure(
          `the archive of ${roughSize(archiveBytes)} unpacks to more than ${roughSize(maxBytes)}`,
        )
      if (bytes > freeBytes)
        throw new Failure(`the archive unpacks to more than the free ${roughSize(freeBytes)}`)
    },
    addMember() {
      members += 1
      if (members > maxMembers)
        throw new Failure(`the archive contains more than ${String(maxMembers)} files`)
    },
  }
}
