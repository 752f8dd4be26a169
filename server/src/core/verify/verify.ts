import type { Inventory } from '../../data/backend/inventory.ts'
import type { Service } from '../service.ts'
import { examine, type VerificationCounts } from './examine.ts'
import { findingKinds, type Finding, type FindingKind } from './finding.ts'
import { repair, type RepairAction, type RepairOptions } from './repair.ts'

export interface Verification {
  /** Whether the bytes of all files are read and hashed. */
  readonly hashes: boolean
  readonly repair?: RepairOptions & {
    /** Repairs even when the database or the store seems to be the wrong one. */
    readonly force: boolean
  }
  /** The maximum number of findings in the report; all are counted. */
  readonly limit: number
  /** Ends the verification; completed repairs stay. */
  readonly signal?: AbortSignal
}

export type FindingCounts = Readonly<Record<FindingKind, number>>

export interface VerificationReport extends Readonly<VerificationCounts> {
  readonly found: FindingCounts
  /** The findings that remain: not repaired, or not yet. */
  readonly left: FindingCounts
  /** The first findings with their repairs; null without a repair. */
  readonly findings: readonly (Finding & { readonly action: RepairAction | null })[]
}

type Verifier = Pick<Service, 'store' | 'data' | 'hashers' | 'clock' | 'log' | 'instance' | 'inFlight'>

/** Most files differ, so the database or the store is probably the wrong one. */
export class ImplausibleError extends Error {
  override readonly name = 'ImplausibleError'
}

/** The data store cannot list its files. */
export class NoInventoryError extends Error {
  override readonly name = 'NoInventoryError'
}

/**
 * Compares the database with the data store while the service runs, and repairs differences on request.
 * @throws ImplausibleError before any repair, when more than half of all files have the same problem;
 * NoInventoryError, StoreUnavailableError, the reason of the signal
 */
export async function verify(service: Verifier, verification: Verification): Promise<VerificationReport> {
  const { inventory } = service.data
  if (inventory === undefined) throw new NoInventoryError('the data store cannot list its files')
  const { hashes, repair: repairOptions, signal } = verification
  const pass = { inventory, limit: verification.limit, ...(signal && { signal }) }
  if (repairOptions === undefined || repairOptions.force)
    return runPass(service, { ...pass, hashes: () => hashes, ...(repairOptions && { repairOptions }) })

  const wrong = wrongHashes()
  const first = await runPass(service, { ...pass, hashes: () => hashes, onFinding: wrong.remember })
  requirePlausible(first)
  return runPass(service, { ...pass, hashes: (key) => hashes && wrong.has(key), repairOptions })
}

/** Repairs after which a finding remains. */
const remaining: ReadonlySet<RepairAction> = new Set(['too_young', 'failed', 'skipped'])

interface Pass {
  readonly inventory: Inventory
  readonly hashes: (key: string) => boolean
  readonly limit: number
  readonly signal?: AbortSignal
  readonly repairOptions?: RepairOptions
  readonly onFinding?: (finding: Finding) => void
}

async function runPass(
  service: Verifier,
  { inventory, repairOptions, onFinding, limit, ...examination }: Pass,
): Promise<VerificationReport> {
  const examined: VerificationCounts = { files: 0, stored: 0, hashed: 0 }
  const found = noFindings()
  const left = noFindings()
  const findings = []
  for await (const finding of examine(service, inventory, examination, examined)) {
    examination.signal?.throwIfAborted()
    onFinding?.(finding)
    found[finding.kind] += 1
    const action =
      repairOptions === undefined ? null : await repair(service, inventory, finding, repairOptions)
    if (action === null || remaining.has(action)) left[finding.kind] += 1
    if (findings.length < limit) findings.push({ ...finding, action })
  }
  return { ...examined, found, left, findings }
}

/** In an unmounted store, all files are lost; with the database of another service, all stored files are orphaned. */
function requirePlausible({ files, stored, hashed, found }: VerificationReport): void {
  const fail = (reason: string) => {
    throw new ImplausibleError(`nothing was repaired: ${reason}`)
  }
  const isMajority = (count: number, total: number) => count * 2 > total
  if (isMajority(found.lost, files))
    fail(`${String(found.lost)} of ${String(files)} files have no data. Is this their data store?`)
  if (isMajority(found.orphaned, stored))
    fail(
      `${String(found.orphaned)} of ${String(stored)} stored files are not in the database. Is this their database?`,
    )
  if (isMajority(found.wrong_size, files))
    fail(`${String(found.wrong_size)} of ${String(files)} files have a wrong size`)
  if (isMajority(found.wrong_hash, hashed))
    fail(`${String(found.wrong_hash)} of ${String(hashed)} files have wrong hashes`)
}

/** The maximum number of ids in memory. */
const maxRemembered = 10_000

/**
 * The files with a wrong hash, so that the second pass reads only those. Beyond the maximum, it reads all files.
 */
function wrongHashes() {
  const files = new Set<string>()
  return {
    remember: ({ kind, file }: Finding) => {
      if (kind === 'wrong_hash' && files.size <= maxRemembered) files.add(file)
    },
    has: (key: string) => files.size > maxRemembered || files.has(key),
  }
}

const noFindings = () =>
  Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Record<FindingKind, number>

export const totalOf = (counts: FindingCounts): number =>
  findingKinds.reduce((sum, kind) => sum + counts[kind], 0)
