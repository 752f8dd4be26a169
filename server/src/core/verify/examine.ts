import pLimit from 'p-limit'
import { MissingDataError } from '../../data/backend/backend.ts'
import type { Inventory, StoredKey } from '../../data/backend/inventory.ts'
import { isId } from '../../domain/ids.ts'
import { pairByKey } from '../../domain/pair-by-key.ts'
import type { Hashes } from '../../io/hash/hash-messages.ts'
import { hashStored } from '../../io/hash/hash-stored.ts'
import type { FileClaim } from '../../metadata/files/verification.ts'
import type { Service } from '../service.ts'
import { findingOf, judge, standing, type Finding } from './finding.ts'

export interface Examination {
  /** Whether the bytes of a file are read and hashed. */
  readonly hashes: (key: string) => boolean
  /** Ends the examination. */
  readonly signal?: AbortSignal
}

/** What was compared so far. */
export interface Examined {
  /** Files that the database has as uploaded. */
  files: number
  /** Files that the store has bytes of. */
  stored: number
  /** Files whose bytes were read and hashed. */
  hashed: number
}

type Parts = Pick<Service, 'store' | 'data' | 'hashers'>

/** Rows that one query reads. On SQLite no other request is answered meanwhile. */
const page = 500

/** Files that are looked at once more together. */
const batch = 100

/** Questions to the store at the same time. */
const concurrency = 8

/** Files that are read at the same time: uploads use the same threads for their hashes. */
const readers = 2

interface Suspect {
  readonly key: string
  readonly claim: FileClaim | undefined
}

/**
 * Compares all files of the database with all that the store lists, beside a running service. Both come in the order of
 * their keys, so that memory stays bounded. A listing is no snapshot: whatever looks wrong in it is asked again, first the
 * store and then the database, and is a finding only when the database says the same before and after.
 * @param examined is counted up
 * @throws the reason of the signal; StoreUnavailableError
 */
export async function* examine(
  parts: Parts,
  inventory: Inventory,
  { hashes, signal }: Examination,
  examined: Examined,
): AsyncGenerator<Finding, void> {
  let suspects: Suspect[] = []
  let intact: FileClaim[] = []
  for await (const { key, left: claim, right: stored } of pairByKey(claims(parts), inventory.list())) {
    signal?.throwIfAborted()
    // A store may have more in it than our files.
    if (!isId(key)) continue
    const isUploaded = claim !== undefined && standing(claim) === 'uploaded'
    if (isUploaded) examined.files += 1
    if (stored !== undefined && stored.size !== null) examined.stored += 1
    if (judge(claim, stored) !== undefined) suspects.push({ key, claim })
    if (isUploaded && stored?.size === claim.fileSize && hashes(key)) intact.push(claim)
    if (suspects.length === batch) {
      yield* confirmed(parts, inventory, suspects)
      suspects = []
    }
    if (intact.length === batch) {
      yield* wronglyHashed(parts, intact, examined)
      intact = []
    }
  }
  yield* confirmed(parts, inventory, suspects)
  yield* wronglyHashed(parts, intact, examined)
}

async function* claims({ store }: Pick<Parts, 'store'>): AsyncGenerator<FileClaim, void> {
  for (let after = '', more = true; more;) {
    const rows: readonly FileClaim[] = await store.verification.after(after, page)
    yield* rows
    after = rows.at(-1)?.key ?? after
    more = rows.length === page
  }
}

/** Those of some suspects that are wrong as they are now, and not only in a listing. */
async function* confirmed(
  { store }: Pick<Parts, 'store'>,
  inventory: Inventory,
  suspects: readonly Suspect[],
): AsyncGenerator<Finding, void> {
  if (suspects.length === 0) return
  const limit = pLimit(concurrency)
  const ask = async ({ key, claim }: Suspect) => ({ key, claim, stored: await inventory.inspect(key) })
  const asked = await Promise.all(suspects.map((suspect) => limit(() => ask(suspect))))
  // After the store has answered: a row that still says `uploaded` said so all the time.
  const now = await store.verification.of(suspects.map(({ key }) => key))
  for (const { key, claim: before, stored } of asked) {
    const claim = now.get(key)
    const found: StoredKey | undefined = stored ?? undefined
    const kind = judge(claim, found)
    if (kind !== undefined && isAsBefore(before, claim)) yield findingOf(kind, key, claim, found)
  }
}

/** Missing files are not among the claims that are gone through. */
const isAsBefore = (before: FileClaim | undefined, now: FileClaim | undefined): boolean =>
  standing(before) === standing(now) || (before === undefined && standing(now) === 'missing')

/** Those of some files whose bytes have other hashes than they had on their way in. */
async function* wronglyHashed(
  { store, data, hashers }: Parts,
  files: readonly FileClaim[],
  examined: Examined,
): AsyncGenerator<Finding, void> {
  if (files.length === 0) return
  const limit = pLimit(readers)
  const hash = async (claim: FileClaim) => {
    const hashes = await hashStored(hashers, await data.get(claim.key)).catch(unlessMissing)
    if (hashes !== undefined) examined.hashed += 1
    return { claim, isWrong: hashes !== undefined && !isSame(claim, hashes) }
  }
  const hashed = await Promise.all(files.map((file) => limit(() => hash(file))))
  const wrong = hashed.filter(({ isWrong }) => isWrong).map(({ claim }) => claim)
  if (wrong.length === 0) return
  const now = await store.verification.of(wrong.map(({ key }) => key))
  for (const { key, fileSize } of wrong) {
    const claim = now.get(key)
    if (standing(claim) === 'uploaded')
      yield { ...findingOf('wrong_hash', key, claim, undefined), storedSize: fileSize }
  }
}

const isSame = (claim: FileClaim, { md5, crc32 }: Hashes) => claim.md5 === md5 && claim.crc32 === crc32

/** It was removed meanwhile, or is lost: the next verification knows. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof MissingDataError)) throw error
}
