import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ok, warn, type Finding } from '@svc/terminal'
import type { DatabaseInspection } from '../metadata/inspect.ts'
import { DatabaseError, isTooManyConnections } from '../metadata/dialects/errors.ts'
import { damageAdvice, isDamage } from '../metadata/damage.ts'
import { reasonsOf } from './base/reasons.ts'
import { vapid } from '../outgoing/push/vapid.ts'
import { checkCreatable } from './base/check-creatable.ts'
import type { CheckContext } from './base/context.ts'
import { sqlitePath } from './base/sqlite-path.ts'

const about = 'database'
const { W_OK, F_OK } = constants

export async function checkDatabase(context: CheckContext): Promise<readonly Finding[]> {
  const path = sqlitePath(context.config)
  const file = path === null ? null : await checkDatabaseFile(path, context)
  if (file !== null) return [file]
  let inspection: DatabaseInspection
  try {
    inspection = await context.components.database()
  } catch (error) {
    return [fail(about, `${reasonsOf(error)}: ${adviceOn(error)}`)]
  }
  const lost = inspection.isNew ? await checkLost(`${inspection.version} is empty`, context) : null
  return [
    ...(lost === null ? schemaFindings(inspection) : [lost]),
    ...inspection.weakSettings.map((message) => warn('durability', message)),
    ...spaceFindings(inspection),
    ...clockFindings(inspection, context.clock.now()),
    ...pushFindings(inspection),
  ]
}

/** @returns null when the file exists and can be written */
async function checkDatabaseFile(path: string, context: CheckContext): Promise<Finding | null> {
  try {
    await access(path, F_OK)
  } catch {
    const creatable = await checkCreatable(about, path, 'is created at the first start')
    if (creatable.level !== 'ok') return creatable
    return (await checkLost(`${path} does not exist`, context)) ?? creatable
  }
  try {
    await access(path, W_OK)
    // SQLite writes a journal next to the file.
    await access(dirname(path), W_OK)
    return null
  } catch (error) {
    return fail(about, `${reasonsOf(error)}: the user that runs svcd must be able to write there`)
  }
}

/**
 * Files without their database: its path is wrong, or it was lost. A start would create an empty one, in which none of
 * the files is known.
 * @param state state of the database
 * @returns null when there are no files
 */
async function checkLost(state: string, { components }: CheckContext): Promise<Finding | null> {
  if (!(await components.storedFiles())) return null
  return warn(
    about,
    `${state}, but the data directory has files: is MetadataBackendConfig.ConnectionString right? If the database is lost, restore its backup before you start`,
  )
}

function adviceOn(error: unknown): string {
  if (isDamage(error) || (error instanceof Error && isDamage(error.cause))) return damageAdvice
  if (error instanceof DatabaseError && error.kind === 'read-only') return 'which program has locked it?'
  if (isTooManyConnections(error))
    return 'raise max_connections of the database, or lower MetadataBackendConfig.MaxConnections of the servers'
  return 'is it running, and is MetadataBackendConfig.ConnectionString right?'
}

function schemaFindings(inspection: DatabaseInspection): readonly Finding[] {
  const { version, pending, isNew, refusal, refusedWrites } = inspection
  if (refusal !== null) return [fail(about, `${version} ${refusal}`)]
  if (refusedWrites !== null) return [fail(about, `${version} takes no writes: ${refusedWrites}`)]
  if (isNew) return [ok(about, `${version} is empty: the first start creates its tables`)]
  if (pending.length === 0) return [ok(about, `${version} is reachable, its schema is up to date`)]
  const names = pending.join(', ')
  return [
    ok(
      about,
      `${version} is reachable; the next start of the server migrates it (${names}): make a backup first`,
    ),
  ]
}

/** Bytes. SQLite needs less for a change. */
const minSpace = 1024 * 1024

function spaceFindings({ freeSpace }: DatabaseInspection): readonly Finding[] {
  if (freeSpace === null || freeSpace >= minSpace) return []
  return [fail(about, 'its disk is full: nothing can be changed until you free some space')]
}

/** Milliseconds. An instance whose clock is off by more than 30 s suspends its cleanup. */
const maxDifferenceMs = 2_000

function clockFindings({ now, heartbeats }: DatabaseInspection, here: number): readonly Finding[] {
  const findings: Finding[] = []
  if (now !== null && Math.abs(now - here) > maxDifferenceMs) {
    const seconds = (Math.abs(now - here) / 1000).toFixed(0)
    const side = now > here ? 'ahead of' : 'behind'
    findings.push(
      warn(
        'clocks',
        `the clock of the database is ${seconds} s ${side} that of this machine: synchronise both (NTP)`,
      ),
    )
  }
  // A heartbeat ahead of the clock means that a clock was wrong.
  const ahead = Math.max(...heartbeats, 0) - (now ?? here)
  if (ahead > maxDifferenceMs) {
    const seconds = (ahead / 1000).toFixed(0)
    findings.push(
      warn(
        'clocks',
        `a heartbeat of another instance is ${seconds} s ahead of the clock: was it set back? Synchronise it (NTP)`,
      ),
    )
  }
  if (findings.length > 0 || (now === null && heartbeats.length === 0)) return findings
  return [ok('clocks', 'the clocks agree')]
}

/** The keys of push messages are made at the first start, and must stay: browsers subscribe with them. */
function pushFindings({ vapidKey }: DatabaseInspection): readonly Finding[] {
  if (vapidKey === null) return []
  try {
    vapid(vapidKey, null)
    return [ok('push', 'the keys of push messages are valid')]
  } catch {
    const advice =
      'delete it from the table settings: the next start makes another one, and browsers subscribe again'
    return [fail('push', `the setting vapidKey of the database is not a key: ${advice}`)]
  }
}
