import type { Inventory } from '../../data/backend/inventory.ts'
import type { Service } from '../service.ts'
import { examine, type Examined } from './examine.ts'
import { findingKinds, type Finding, type FindingKind } from './finding.ts'
import { repair, type RepairAction, type RepairOptions } from './repair.ts'

export interface Verification {
  /** Whether the bytes of all files are read and hashed. */
  readonly hashes: boolean
  readonly repair?: RepairOptions & {
    /** Repairs even what looks like a wrong database or store. */
    readonly force: boolean
  }
  /** Findings that the report carries; all are counted. */
  readonly limit: number
  /** Ends the verification: what is repaired by then stays so. */
  readonly signal?: AbortSignal
}

export type FindingCounts = Readonly<Record<FindingKind, number>>

export interface VerificationReport extends Readonly<Examined> {
  readonly found: FindingCounts
  /** Those that are left: not repaired, or not yet. */
  readonly left: FindingCounts
  /** The first ones, each with what became of it; null when nothing was to be repaired. */
  readonly findings: readonly (Finding & { readonly action: RepairAction | null })[]
}

type Parts = Pick<Service, 'store' | 'data' | 'hashers' | 'clock' | 'log' | 'instance' | 'inFlight'>

/** So much is wrong that the database or the store is more likely to be the wrong one. */
export class ImplausibleError extends Error {
  override readonly name = 'ImplausibleError'
}

/** The data store cannot list what it has. */
export class NoInventoryError extends Error {
  override readonly name = 'NoInventoryError'
}

/**
 * Compares the database with the data store, beside a running service, and repairs what is wrong where that is wanted.
 * @throws ImplausibleError before anything is repaired, when more than half of all files are wrong in one way;
 * NoInventoryError, StoreUnavailableError, the reason of the signal
 */
export async function verify(parts: Parts, verification: Verification): Promise<VerificationReport> {
  const { inventory } = parts.data
  if (inventory === undefined) throw new NoInventoryError('the data store cannot list its files')
  const { hashes, repair: repairing, signal } = verification
  const pass = { inventory, limit: verification.limit, ...(signal && { signal }) }
  if (repairing === undefined || repairing.force)
    return runPass(parts, { ...pass, hashes: () => hashes, ...(repairing && { repairing }) })

  const wrong = wrongHashes()
  const first = await runPass(parts, { ...pass, hashes: () => hashes, onFinding: wrong.remember })
  requirePlausible(first)
  return runPass(parts, { ...pass, hashes: (key) => hashes && wrong.has(key), repairing })
}

interface Pass {
  readonly inventory: Inventory
  readonly hashes: (key: string) => boolean
  readonly limit: number
  readonly signal?: AbortSignal
  readonly repairing?: RepairOptions
  readonly onFinding?: (finding: Finding) => void
}

async function runPass(
  parts: Parts,
  { inventory, repairing, onFinding, limit, ...examination }: Pass,
): Promise<VerificationReport> {
  const examined: Examined = { files: 0, stored: 0, hashed: 0 }
  const found = noFindings()
  const left = noFindings()
  const findings = []
  for await (const finding of examine(parts, inventory, examination, examined)) {
    examination.signal?.throwIfAborted()
    onFinding?.(finding)
    found[finding.kind] += 1
    const action = repairing === undefined ? null : await repair(parts, inventory, finding, repairing)
    if (action === null || action === 'too_young' || action === 'failed') left[finding.kind] += 1
    if (findings.length < limit) findings.push({ ...finding, action })
  }
  return { ...examined, found, left, findings }
}

/** A store that is not mounted has lost everything; the database of another service knows none of the files. */
function requirePlausible({ files, stored, hashed, found }: VerificationReport): void {
  const refuse = (what: string) => {
    throw new ImplausibleError(`nothing was repaired: ${what}`)
  }
  const isMost = (some: number, all: number) => some * 2 > all
  if (isMost(found.lost, files))
    refuse(`${String(found.lost)} of ${String(files)} files have no data. Is this their data store?`)
  if (isMost(found.orphaned, stored))
    refuse(
      `${String(found.orphaned)} of ${String(stored)} stored files are not in the database. Is this their database?`,
    )
  if (isMost(found.wrong_size, files))
    refuse(`${String(found.wrong_size)} of ${String(files)} files have a wrong size`)
  if (isMost(found.wrong_hash, hashed))
    refuse(`${String(found.wrong_hash)} of ${String(hashed)} files have wrong hashes`)
}

/** Ids that are kept in memory. */
const mostRemembered = 10_000

/** Which files had a wrong hash, so that not all need to be read again. Where they are too many, it may have been any. */
function wrongHashes() {
  const files = new Set<string>()
  return {
    remember: ({ kind, file }: Finding) => {
      if (kind === 'wrong_hash' && files.size <= mostRemembered) files.add(file)
    },
    has: (key: string) => files.size > mostRemembered || files.has(key),
  }
}

const noFindings = () =>
  Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Record<FindingKind, number>

export const totalOf = (counts: FindingCounts): number =>
  findingKinds.reduce((sum, kind) => sum + counts[kind], 0)
