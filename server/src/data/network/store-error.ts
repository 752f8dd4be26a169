import { MissingDataError, NoSpaceError, StoreUnavailableError } from '../backend/backend.ts'
import { readText, type StoreAnswer } from './client.ts'

/** The status of an answer that no other try will change: the configuration, its rights or our request are wrong. */
class RefusedByStoreError extends Error {
  override readonly name = 'RefusedByStoreError'
  readonly status: number

  constructor(status: number) {
    super(`status ${String(status)}`)
    this.status = status
  }
}

/** Statuses that another try may change: time-outs, too many requests (498 is Swift's), failures of the store. */
const passing: ReadonlySet<number> = new Set([408, 429, 498, 500, 502, 503, 504])

/** Too large for the store, or no room or no quota left in it. */
const full: ReadonlySet<number> = new Set([413, 507])

/** What an unwanted answer means. Reads its body, which says why. */
export async function refusalOf(what: string, answer: StoreAnswer): Promise<Error> {
  const { status } = answer
  const said = await readText(answer, 500).catch(() => '')
  const message = `${what}: the store answered ${String(status)} ${said}`.trimEnd()
  if (passing.has(status)) return new StoreUnavailableError(message)
  if (full.has(status)) return new NoSpaceError(message)
  return new StoreUnavailableError(message, { cause: new RefusedByStoreError(status) })
}

/** Reads an answer to its end, so that its connection can be used again. @throws as `refusalOf` unless it is one of the statuses */
export async function expectStatus(
  what: string,
  answer: StoreAnswer,
  ...statuses: readonly number[]
): Promise<string> {
  if (!statuses.includes(answer.status)) throw await refusalOf(what, answer)
  return readText(answer)
}

/**
 * What an answer says in JSON. Anything else does not come from the store: a proxy in between may have a page for when
 * the store is away, with a good status.
 * @throws StoreUnavailableError
 */
export function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreUnavailableError(`${what}: the answer is no JSON: ${text.slice(0, 200)}`, { cause })
  }
}

/** Whether another try may succeed. */
export const mayPass = (error: unknown) =>
  error instanceof StoreUnavailableError && statusOf(error) === undefined

/** The status of an answer that no other try will change. */
export const statusOf = (error: unknown) =>
  error instanceof StoreUnavailableError && error.cause instanceof RefusedByStoreError
    ? error.cause.status
    : undefined

export const missing = (key: string) => new MissingDataError(`nothing is stored under ${key}`)
