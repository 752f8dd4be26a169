import { rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Config } from '../config/config.ts'
import { formatSize } from '../config/values/sizes.ts'
import { directDownloadsFault } from '../core/downloads/presigned-download.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import { randomId } from '../domain/ids.ts'
import { fail, ok, reasonsOf, warn, type Finding } from './finding.ts'
import { makeable } from './makeable.ts'
import type { Subject } from './parts.ts'

const about = 'data store'
const patienceMs = 20_000

/** Does with the store what the service does, under a key of its own, and takes everything back. */
export async function checkDataStore({ config, parts }: Subject): Promise<readonly Finding[]> {
  const directory = config.dataBackend.kind === 'file' ? config.dataBackend.directory : null
  if (directory !== null && !(await isThere(directory)))
    return [await makeable(about, directory, 'is made at the first start')]
  const key = randomId(parts.random)
  const shard = directory === null ? null : join(directory, key.slice(0, 2))
  const wasThere = shard !== null && (await isThere(shard))
  try {
    const data = await parts.data()
    return [await tryOut(data, key), ...(await spaceFindings(data, config)), ...directFindings(data, config)]
  } catch (error) {
    return [fail(about, `the ${config.dataBackend.kind} store cannot be opened: ${reasonsOf(error)}`)]
  } finally {
    // The store keeps its folders; this one is there for us alone, or else it is not empty.
    if (shard !== null && !wasThere) await rmdir(shard).catch(() => undefined)
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const probe = Buffer.from('svcd check: may be deleted')
const part = { start: 5, end: 9 }

/** The steps in their order; what fails names its step. */
async function tryOut(data: DataBackend, key: string): Promise<Finding> {
  let step = 'writing'
  try {
    await data.add(key, Readable.from([probe]), AbortSignal.timeout(patienceMs))
    step = 'reading'
    requireEqual(await collect(await data.get(key)), probe)
    step = 'reading a range'
    requireEqual(await collect(await data.get(key, part)), probe.subarray(part.start, part.end + 1))
    step = 'deleting'
    await data.remove(key)
    return ok(about, 'bytes can be written, read and deleted')
  } catch (error) {
    // Where deleting is what is not allowed, it fails again.
    await data.remove(key).catch(() => undefined)
    const left = step === 'deleting' ? ` The probe ${key} stays behind.` : ''
    return fail(about, `${step} failed: ${reasonsOf(error)}.${left} Look at its rights and its address.`)
  }
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of source) parts.push(new Uint8Array(chunk))
  return Buffer.concat(parts)
}

function requireEqual(found: Buffer, wanted: Buffer): void {
  if (!found.equals(wanted)) throw new Error('other bytes came back than were written')
}

async function spaceFindings(data: DataBackend, { minFreeSpace }: Config): Promise<readonly Finding[]> {
  if (data.freeSpace === undefined) return []
  const free = await data.freeSpace()
  const says = `${formatSize(free)} are free, MinFreeSpaceStr is ${formatSize(minFreeSpace)}`
  if (free < minFreeSpace) return [fail('free space', `${says}: uploads are refused until there is more`)]
  if (free < 2 * minFreeSpace) return [warn('free space', `${says}: it is getting scarce`)]
  return [ok('free space', says)]
}

function directFindings(data: DataBackend, config: Config): readonly Finding[] {
  const fault = directDownloadsFault(config, data)
  return fault === null ? [] : [warn('direct downloads', fault)]
}
