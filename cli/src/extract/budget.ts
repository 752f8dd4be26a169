import { roughSize } from '@svc/terminal'
import { Failure } from '../core/failure.ts'

/** How much may come out of an archive, so that a small file never fills a disk unasked. */
export interface Budget {
  /** Counts unpacked bytes. @throws Failure */
  take(bytes: number): void
  /** One file or folder more. @throws Failure */
  takeMember(): void
}

/** An archive may always hold so much, however small it is. Bytes. */
const alwaysAllowed = 1_000_000_000
/** Texts shrink to a twentieth at best; a file that shrinks to less than this is mostly nothing. */
const ratio = 200
const mostMembers = 100_000

/**
 * @param archiveBytes how big the archive is
 * @param freeBytes what the disk still takes
 */
export function createBudget(archiveBytes: number, freeBytes: number): Budget {
  const most = Math.max(alwaysAllowed, archiveBytes * ratio)
  let bytes = 0
  let members = 0
  return {
    take(more) {
      bytes += more
      if (bytes > most)
        throw new Failure(`the archive of ${roughSize(archiveBytes)} unpacks to more than ${roughSize(most)}`)
      if (bytes > freeBytes)
        throw new Failure(`the archive unpacks to more than the free ${roughSize(freeBytes)}`)
    },
    takeMember() {
      members += 1
      if (members > mostMembers)
        throw new Failure(`the archive contains more than ${String(mostMembers)} files`)
    },
  }
}
