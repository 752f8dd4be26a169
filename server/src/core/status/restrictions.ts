import { ServiceError } from '../../domain/errors.ts'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { DatabaseSpace } from '../space/database-space.ts'
import type { RowSpace } from '../space/row-space.ts'
import type { Restriction } from './readiness.ts'

interface CheckedLimits {
  readonly databaseClock: Pick<DatabaseClock, 'isTrusted'>
  readonly freeSpace: { readonly resume: (expected: number) => Promise<unknown> }
  readonly rowSpace: Pick<RowSpace, 'hasSpace'>
  readonly databaseSpace: Pick<DatabaseSpace, 'isFull' | 'isReadOnly'>
  readonly hasProgramFiles: () => boolean
}

/**
 * The free space stays a little above the reserve, because changes that would use the reserve are refused. So the reserve
 * counts as reached when these bytes no longer fit.
 */
const smallChange = 1024 * 1024

/** What a server cannot do although it is ready: uploads and cleanup may stop while downloads continue. */
export async function restrictionsOf({
  databaseClock,
  freeSpace,
  rowSpace,
  databaseSpace,
  hasProgramFiles,
}: CheckedLimits): Promise<readonly Restriction[]> {
  const found: Restriction[] = []
  if (!hasProgramFiles())
    found.push({
      code: 'program_files_missing',
      message:
        'files of the program were deleted or replaced while it was running: uploads and pages may fail until it is restarted',
    })
  if (!databaseClock.isTrusted())
    found.push({
      code: 'clock_wrong',
      message: 'the clocks of this machine and of the database differ: cleanup is paused here',
    })
  if (databaseSpace.isFull())
    found.push({
      code: 'database_full',
      message:
        'the database has no space left: changes are not possible; downloads still work, except those with a download limit or a password',
    })
  if (databaseSpace.isReadOnly())
    found.push({
      code: 'database_read_only',
      message:
        'the database accepts no writes (a standby, read-only, or locked by another process): changes are not possible; downloads still work, except those with a download limit or a password',
    })
  const hasSpace = await freeSpace.resume(smallChange).then(
    () => true,
    // While the store does not respond, the server is not ready, which `readiness` reports.
    (error: unknown) => !(error instanceof ServiceError && error.code === 'no_space'),
  )
  if (!hasSpace)
    found.push({
      code: 'no_space',
      message:
        'the data directory has no free space above MinFreeSpaceStr: uploads are refused; downloads still work',
    })
  if (!(await rowSpace.hasSpace(smallChange).catch(() => true)))
    found.push({
      code: 'no_space',
      message:
        'the disk of the database has no free space above MinFreeSpaceStr: uploads are refused; downloads still work',
    })
  return found
}
