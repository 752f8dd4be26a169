import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { formatSize } from '@svc/contract'
import { fail, ok, warn, type Finding } from '@svc/terminal'
import type { Config } from '../config/config.ts'
import { directDownloadsFault } from '../core/downloads/presigned-download.ts'
import { MissingContainerError, type DataBackend } from '../data/backend/backend.ts'
import { randomId } from '../domain/ids.ts'
import type { DatabaseInspection } from '../metadata/inspect.ts'
import { reasonsOf } from './base/reasons.ts'
import { checkCreatable } from './base/check-creatable.ts'
import { exists } from './base/exists.ts'
import type { CheckContext } from './base/context.ts'
import { sqlitePath } from './base/sqlite-path.ts'

const about = 'data store'
const timeoutMs = 20_000

/** Writes, reads and deletes under a new key, as the service does. The store is unchanged afterwards. */
export async function checkDataStore(context: CheckContext): Promise<readonly Finding[]> {
  const { config, components } = context
  const directory = config.dataBackend.kind === 'file' ? config.dataBackend.directory : null
  if (directory !== null && !(await exists(directory)))
    return [await checkMissingDirectory(directory, context)]
  // First, so that the probe below does not count.
  await components.storedFiles()
  const key = randomId(components.random)
  const shard = directory === null ? null : join(directory, key.slice(0, 2))
  const existed = shard !== null && (await exists(shard))
  try {
    const data = await components.data()
    const missing = await findMissingContainer(data)
    if (missing !== null) return [await checkMissingContainer(missing, data, context)]
    return [
      await probeStore(data, key),
      ...(await spaceFindings(data, config)),
      ...directFindings(data, config),
    ]
  } catch (error) {
    return [fail(about, `the ${config.dataBackend.kind} store cannot be opened: ${reasonsOf(error)}`)]
  } finally {
    // The store keeps its folders. If another process uses this one, it is not empty, and this fails.
    if (shard !== null && !existed) await rmdir(shard).catch(() => undefined)
  }
}

/** A start creates a missing directory, unless the database has files, which should be in it. */
async function checkMissingDirectory(directory: string, context: CheckContext): Promise<Finding> {
  const advice = 'is their disk mounted, and is DataBackendConfig.Directory right?'
  switch (await databaseFiles(context)) {
    case 'yes':
      return fail(about, `${directory} does not exist, but the database has files: ${advice}`)
    case 'no':
      return checkCreatable(about, directory, 'is created at the first start')
    case 'unknown':
      return warn(about, `${directory} does not exist, ${perhapsFiles}: ${advice}`)
  }
}

/** Other failures are reported by the probe. */
async function findMissingContainer({ ping }: DataBackend): Promise<MissingContainerError | null> {
  try {
    await ping?.(AbortSignal.timeout(timeoutMs))
    return null
  } catch (error) {
    return error instanceof MissingContainerError ? error : null
  }
}

/** A start creates a missing container where the store can, unless the database has files, which should be in it. */
async function checkMissingContainer(
  missing: MissingContainerError,
  { createMissing }: DataBackend,
  context: CheckContext,
): Promise<Finding> {
  if (createMissing === undefined) return fail(about, `${missing.message}: create it, or correct its name`)
  switch (await databaseFiles(context)) {
    case 'yes':
      return fail(about, `${missing.message}, but the database has files: is its name right?`)
    case 'no':
      return ok(about, `${missing.message}: the first start creates it`)
    case 'unknown':
      return warn(about, `${missing.message}, ${perhapsFiles}: is its name right?`)
  }
}

const perhapsFiles = 'and the database may have files, which could not be counted'

/** A database that does not exist yet has none. What is wrong with the database is reported elsewhere. */
async function databaseFiles({ config, components }: CheckContext): Promise<DatabaseInspection['hasFiles']> {
  const path = sqlitePath(config)
  if (path !== null && !(await exists(path))) return 'no'
  return components.database().then(
    ({ hasFiles }) => hasFiles,
    () => 'unknown',
  )
}

const probe = Buffer.from('svcd check: may be deleted')
const part = { start: 5, end: 9 }

/** The message of a failure names the step that failed. */
async function probeStore(data: DataBackend, key: string): Promise<Finding> {
  let step = 'writing'
  try {
    await data.add(key, Readable.from([probe]), AbortSignal.timeout(timeoutMs))
    step = 'reading'
    requireEqual(await collect(await data.get(key)), probe)
    step = 'reading a range'
    requireEqual(await collect(await data.get(key, part)), probe.subarray(part.start, part.end + 1))
    step = 'deleting'
    await data.remove(key)
    return ok(about, 'bytes can be written, read and deleted')
  } catch (error) {
    // This fails again if the store refuses deletion.
    await data.remove(key).catch(() => undefined)
    const left = step === 'deleting' ? ` The object ${key} remains.` : ''
    return fail(about, `${step} failed: ${reasonsOf(error)}.${left} Check its permissions and its address.`)
  }
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of source) parts.push(new Uint8Array(chunk))
  return Buffer.concat(parts)
}

function requireEqual(found: Buffer, wanted: Buffer): void {
  if (!found.equals(wanted)) throw new Error('the store returned other bytes than were written')
}

async function spaceFindings(data: DataBackend, { minFreeSpace }: Config): Promise<readonly Finding[]> {
  if (data.freeSpace === undefined) return []
  const free = await data.freeSpace()
  const facts = `${formatSize(free)} are free, MinFreeSpaceStr is ${formatSize(minFreeSpace)}`
  if (free < minFreeSpace) return [fail('free space', `${facts}: uploads are refused until space is freed`)]
  if (free < 2 * minFreeSpace) return [warn('free space', `${facts}: free space is running low`)]
  return [ok('free space', facts)]
}

function directFindings(data: DataBackend, config: Config): readonly Finding[] {
  const fault = directDownloadsFault(config, data)
  return fault === null ? [] : [warn('direct downloads', fault)]
}
