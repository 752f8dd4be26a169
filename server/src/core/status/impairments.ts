import { ServiceError } from '../../domain/errors.ts'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { DatabaseSpace } from '../limits/database-space.ts'
import type { FreeSpace } from '../limits/free-space.ts'
import type { Impairment } from './readiness.ts'

interface Parts {
  readonly databaseClock: DatabaseClock
  readonly freeSpace: FreeSpace
  readonly databaseSpace: DatabaseSpace
}

/** What does not work here although the server is of use: uploads and cleaning may stop while downloads go on. */
export async function impairmentsOf({
  databaseClock,
  freeSpace,
  databaseSpace,
}: Parts): Promise<readonly Impairment[]> {
  const found: Impairment[] = []
  if (!databaseClock.isTrusted())
    found.push({
      code: 'clock_wrong',
      message: 'the clocks of this machine and of the database differ, nothing is cleaned here',
    })
  if (databaseSpace.isFull())
    found.push({
      code: 'database_full',
      message: 'the database has no space left, nothing can be changed, downloads go on',
    })
  const hasSpace = await freeSpace.goOn(0).then(
    () => true,
    // A store that does not answer is another matter: then the server is not ready.
    (error: unknown) => !(error instanceof ServiceError && error.code === 'no_space'),
  )
  if (!hasSpace)
    found.push({ code: 'no_space', message: 'there is no space left for files, downloads go on' })
  return found
}
