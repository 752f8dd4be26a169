import type { MetadataStore } from '../../metadata/store.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'
import { findingKinds, type FindingKind } from './finding.ts'
import type { FindingCounts } from './verify.ts'

/** The state of verification that all instances on one database share. */
export interface VerificationState {
  /** When the last verification ended, in milliseconds since the epoch; 0 before the first. */
  readonly doneAt: number
  /** The findings that remain after it. */
  readonly left: FindingCounts
  /** The instance that is running a verification; null when none is. */
  readonly running: string | null
}

type Store = Pick<MetadataStore, 'settings' | 'instances'>

const key = 'verification'
const none = Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Record<FindingKind, number>
const never: VerificationState = { doneAt: 0, left: none, running: null }

/** A state with its stored text, which a conditional update compares. */
interface StoredState {
  readonly text: string
  readonly state: VerificationState
}

async function read({ settings }: Store): Promise<StoredState> {
  const text = await settings.findOrInsert(key, JSON.stringify(never))
  const { left, ...state } = JSON.parse(text) as Partial<VerificationState>
  // An earlier version stored fewer kinds of findings.
  return { text, state: { ...never, ...state, left: { ...none, ...left } } }
}

const replace = ({ settings }: Store, { text }: StoredState, state: VerificationState): Promise<boolean> =>
  settings.replace(key, text, JSON.stringify(state))

export const lastVerification = async (store: Store): Promise<VerificationState> => (await read(store)).state

/**
 * Begins the next verification on an instance, if it is due and no other live instance is running one.
 * @param interval milliseconds between two verifications
 * @returns false when it must not begin
 */
export async function beginVerification(
  store: Store,
  { instance, now, interval }: { readonly instance: string; readonly now: number; readonly interval: number },
): Promise<boolean> {
  const stored = await read(store)
  const { doneAt, running } = stored.state
  if (now - doneAt < interval) return false
  if (
    running !== null &&
    running !== instance &&
    (await store.instances.find(running, now - heartbeatTimeoutMs)) !== null
  )
    return false
  return replace(store, stored, { ...stored.state, running: instance })
}

/**
 * Records the end of a verification.
 * @param left null after a failure: the next attempt follows soon
 */
export async function endVerification(
  store: Store,
  {
    instance,
    now,
    left,
  }: { readonly instance: string; readonly now: number; readonly left: FindingCounts | null },
): Promise<void> {
  const stored = await read(store)
  if (stored.state.running !== instance) return
  const doneAt = left === null ? stored.state.doneAt : now
  await replace(store, stored, { doneAt, left: left ?? stored.state.left, running: null })
}

/** Records the result of a verification by a command. A scheduled one in progress takes precedence. */
export async function recordVerification(
  store: Store,
  { now, left }: { readonly now: number; readonly left: FindingCounts },
): Promise<void> {
  const stored = await read(store)
  if (stored.state.running === null) await replace(store, stored, { doneAt: now, left, running: null })
}
