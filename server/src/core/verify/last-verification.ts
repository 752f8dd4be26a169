import type { MetadataStore } from '../../metadata/store.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'
import { findingKinds, type FindingKind } from './finding.ts'
import type { FindingCounts } from './verify.ts'

/** What all instances on one database know of their verifications. */
export interface VerificationState {
  /** When the last one was done, in milliseconds since the epoch; 0 before the first. */
  readonly doneAt: number
  /** What it left. */
  readonly left: FindingCounts
  /** The instance that is at the next one; null when none is. */
  readonly running: string | null
}

type Store = Pick<MetadataStore, 'settings' | 'instances'>

const key = 'verification'
const none = Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Record<FindingKind, number>
const never: VerificationState = { doneAt: 0, left: none, running: null }

/** A state, as the text that it is kept as: only who knows the text may replace it. */
interface Kept {
  readonly text: string
  readonly state: VerificationState
}

async function read({ settings }: Store): Promise<Kept> {
  const text = await settings.findOrInsert(key, JSON.stringify(never))
  return { text, state: { ...never, ...(JSON.parse(text) as Partial<VerificationState>) } }
}

const replace = ({ settings }: Store, { text }: Kept, state: VerificationState): Promise<boolean> =>
  settings.replace(key, text, JSON.stringify(state))

export const lastVerification = async (store: Store): Promise<VerificationState> => (await read(store)).state

/**
 * Makes an instance the only one that verifies, if that is due and no other living one is at it.
 * @param interval milliseconds between two verifications
 */
export async function takeVerification(
  store: Store,
  { instance, now, interval }: { readonly instance: string; readonly now: number; readonly interval: number },
): Promise<boolean> {
  const kept = await read(store)
  const { doneAt, running } = kept.state
  if (now - doneAt < interval) return false
  if (
    running !== null &&
    running !== instance &&
    (await store.instances.find(running, now - heartbeatTimeoutMs)) !== null
  )
    return false
  return replace(store, kept, { ...kept.state, running: instance })
}

/** Writes down that an instance is done with its verification. @param left null when it failed: the next try comes soon */
export async function endVerification(
  store: Store,
  {
    instance,
    now,
    left,
  }: { readonly instance: string; readonly now: number; readonly left: FindingCounts | null },
): Promise<void> {
  const kept = await read(store)
  if (kept.state.running !== instance) return
  const doneAt = left === null ? kept.state.doneAt : now
  await replace(store, kept, { doneAt, left: left ?? kept.state.left, running: null })
}

/** Writes down what a verification outside of the schedule left. One that the schedule is at counts instead. */
export async function recordVerification(
  store: Store,
  { now, left }: { readonly now: number; readonly left: FindingCounts },
): Promise<void> {
  const kept = await read(store)
  if (kept.state.running === null) await replace(store, kept, { doneAt: now, left, running: null })
}
