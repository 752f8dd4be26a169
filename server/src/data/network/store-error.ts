import { MissingContainerError, NoSpaceError, StoreUnavailableError } from '../backend/backend.ts'
import { readText, type StoreResponse } from './client.ts'

/** A status that a retry does not change: the configuration, the permissions or the request are wrong. */
class StoreStatusError extends Error {
  override readonly name = 'StoreStatusError'
  readonly status: number

  constructor(status: number) {
    super(`status ${String(status)}`)
    this.status = status
  }
}

/** The text of an error page or the message of an error in JSON, cut off after 300 characters. */
function reasonIn(body: string): string {
  const text = messageIn(body) ?? (/^\s*<(?:!doctype|html)/i.test(body) ? textOf(body) : body)
  return text.slice(0, 300)
}

const textOf = (page: string): string =>
  page
    .replaceAll(/<(title|style|script)\b.*?<\/\1>/gis, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

interface ErrorBody {
  /** Of Keystone and Google Cloud Storage. */
  readonly error?: { readonly message?: unknown }
  /** Of Ceph, whose message may be empty. */
  readonly Message?: unknown
  readonly Code?: unknown
}

/** The message of an error in JSON; undefined for other bodies. */
function messageIn(body: string): string | undefined {
  try {
    const { error, Message: message, Code: code } = JSON.parse(body) as ErrorBody
    const texts = [error?.message, message, code].filter((text) => typeof text === 'string')
    return texts.find((text) => text !== '')
  } catch {
    return undefined
  }
}

/** Statuses that a retry may change: timeouts, too many requests (498 is Swift's), failures of the store. */
const passing: ReadonlySet<number> = new Set([408, 429, 498, 500, 502, 503, 504])

/** Too large for the store, or no space or no quota left. */
const full: ReadonlySet<number> = new Set([413, 507])

/** The error for an unexpected response. Reads its body, which contains the reason. */
export async function responseError(what: string, response: StoreResponse): Promise<Error> {
  const { status } = response
  const reason = reasonIn(await readText(response, 4_000).catch(() => ''))
  const message = `${what}: the store responded with ${String(status)} ${reason}`.trimEnd()
  if (passing.has(status)) return new StoreUnavailableError(message)
  if (full.has(status)) return new NoSpaceError(message)
  return new StoreUnavailableError(message, { cause: new StoreStatusError(status) })
}

/**
 * Reads a response to its end, so that its connection can be reused.
 * @throws `responseError` for any other status
 */
export async function expectStatus(
  what: string,
  response: StoreResponse,
  ...statuses: readonly number[]
): Promise<string> {
  if (!statuses.includes(response.status)) throw await responseError(what, response)
  return readText(response)
}

/**
 * Parses the JSON of a response. Anything else does not come from the store: a proxy may send an error page with a
 * successful status.
 * @throws StoreUnavailableError
 */
export function parseJsonResponse(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreUnavailableError(`${what}: the response is not JSON: ${text.slice(0, 200)}`, { cause })
  }
}

/** Whether a retry may succeed. */
export const isRetryable = (error: unknown) =>
  error instanceof StoreUnavailableError &&
  !(error instanceof MissingContainerError) &&
  statusOf(error) === undefined

/** The status of a response that a retry does not change. */
export const statusOf = (error: unknown) =>
  error instanceof StoreUnavailableError && error.cause instanceof StoreStatusError
    ? error.cause.status
    : undefined
