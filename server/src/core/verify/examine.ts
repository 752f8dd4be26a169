import pLimit from 'p-limit'
import { MissingDataError, StoreUnavailableError } from '../../data/backend/backend.ts'
import type { Inventory, StoredKey } from '../../data/backend/inventory.ts'
import { isId } from '../../domain/ids.ts'
import { pairByKey } from '../../domain/collections/pair-by-key.ts'
import type { Hashes } from '../../io/hash/hash-messages.ts'
import { hashStored } from '../../io/hash/hash-stored.ts'
import type { ExpectedFile } from '../../metadata/files/verification.ts'
import type { Service } from '../service.ts'
import { findingOf, differenceOf, effectiveStatus, type Finding } from './finding.ts'

export interface ExamineOptions {
  /** Whether the bytes of a file are read and hashed. */
  readonly hashes: (key: string) => boolean
  /** Ends the examination. */
  readonly signal?: AbortSignal
}

/** The counts of a verification so far. */
export interface VerificationCounts {
  /** The uploaded files of the database. */
  files: number
  /** The files of the store. */
  stored: number
  /** The files whose bytes were read and hashed. */
  hashed: number
}

type Verifier = Pick<Service, 'store' | 'data' | 'hashers'>

/** The number of rows of a query. On SQLite, other requests wait for each query. */
const page = 500

/** The number of files that are checked again together. */
const batch = 100

/** The number of parallel requests to the store. */
const concurrency = 8

/** The number of files that are read in parallel: uploads share the hash threads. */
const readers = 2

/** A file that seems to differ. */
interface Suspect {
  readonly key: string
  readonly expected: ExpectedFile | undefined
}

/**
 * Compares all files of the database with all that the store lists, while the service runs. Both are sorted by key,
 * so that memory stays bounded. A listing is not a snapshot: each suspect is checked again, first in the store and
 * then in the database, and is a finding only if the database has the same status before and after.
 * @param examined is updated during the examination
 * @throws the reason of the signal; StoreUnavailableError
 */
export async function* examine(
  service: Verifier,
  inventory: Inventory,
  { hashes, signal }: ExamineOptions,
  examined: VerificationCounts,
): AsyncGenerator<Finding, void> {
  let suspects: Suspect[] = []
  let intact: ExpectedFile[] = []
  for await (const { key, left: expected, right: stored } of pairByKey(
    expectedFiles(service),
    inventory.list(),
  )) {
    signal?.throwIfAborted()
    // A store may contain other objects.
    if (!isId(key)) continue
    const isUploaded = expected !== undefined && effectiveStatus(expected) === 'uploaded'
    if (isUploaded) examined.files += 1
    if (stored !== undefined && stored.size !== null) examined.stored += 1
    if (differenceOf(expected, stored) !== undefined) suspects.push({ key, expected })
    if (isUploaded && stored?.size === expected.fileSize && hashes(key)) intact.push(expected)
    if (suspects.length === batch) {
      yield* confirmSuspects(service, inventory, suspects)
      suspects = []
    }
    if (intact.length === batch) {
      yield* wronglyHashed(service, inventory, intact, examined)
      intact = []
    }
  }
  yield* confirmSuspects(service, inventory, suspects)
  yield* wronglyHashed(service, inventory, intact, examined)
}

async function* expectedFiles({ store }: Pick<Verifier, 'store'>): AsyncGenerator<ExpectedFile, void> {
  for (let after = '', more = true; more;) {
    const rows: readonly ExpectedFile[] = await store.verification.after(after, page)
    yield* rows
    after = rows.at(-1)?.key ?? after
    more = rows.length === page
  }
}

/** The suspects that are still wrong after a second check. */
async function* confirmSuspects(
  { store }: Pick<Verifier, 'store'>,
  inventory: Inventory,
  suspects: readonly Suspect[],
): AsyncGenerator<Finding, void> {
  if (suspects.length === 0) return
  const limit = pLimit(concurrency)
  const inspect = async ({ key, expected }: Suspect) => ({
    key,
    expected,
    stored: await inventory.inspect(key),
  })
  const inspected = await Promise.all(suspects.map((suspect) => limit(() => inspect(suspect))))
  // After the check of the store: a row that still has the status `uploaded` had it all the time.
  const now = await store.verification.of(suspects.map(({ key }) => key))
  for (const { key, expected: before, stored } of inspected) {
    const expected = now.get(key)
    const found: StoredKey | undefined = stored ?? undefined
    const kind = differenceOf(expected, found)
    if (kind !== undefined && hasSameStatus(before, expected)) yield findingOf(kind, key, expected, found)
  }
}

/** The first query does not include missing files. */
const hasSameStatus = (before: ExpectedFile | undefined, now: ExpectedFile | undefined): boolean =>
  effectiveStatus(before) === effectiveStatus(now) ||
  (before === undefined && effectiveStatus(now) === 'missing')

/** The files whose bytes cannot be read, or do not have the hashes that were computed at upload. */
async function* wronglyHashed(
  { store, data, hashers }: Verifier,
  inventory: Inventory,
  files: readonly ExpectedFile[],
  examined: VerificationCounts,
): AsyncGenerator<Finding, void> {
  if (files.length === 0) return
  const limit = pLimit(readers)
  const hash = async (expected: ExpectedFile) => {
    try {
      const hashes = await hashStored(hashers, await data.get(expected.key))
      examined.hashed += 1
      return { expected, kind: hasSameHashes(expected, hashes) ? null : ('wrong_hash' as const) }
    } catch (error) {
      // The file was removed in the meantime, or it is lost, which the next verification finds.
      if (error instanceof MissingDataError) return { expected, kind: null }
      if (!(error instanceof StoreUnavailableError)) throw error
      // Rejects when the whole store is unavailable.
      await inventory.inspect(expected.key)
      return { expected, kind: 'unreadable' as const }
    }
  }
  const hashed = await Promise.all(files.map((file) => limit(() => hash(file))))
  const wrong = hashed.filter(({ kind }) => kind !== null)
  if (wrong.length === 0) return
  const now = await store.verification.of(wrong.map(({ expected }) => expected.key))
  for (const { expected: before, kind } of wrong) {
    const expected = now.get(before.key)
    if (kind !== null && effectiveStatus(expected) === 'uploaded')
      yield { ...findingOf(kind, before.key, expected, undefined), storedSize: before.fileSize }
  }
}

const hasSameHashes = (expected: ExpectedFile, { md5, crc32 }: Hashes) =>
  expected.md5 === md5 && expected.crc32 === crc32
