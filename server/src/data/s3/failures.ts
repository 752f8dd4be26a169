import { MissingDataError, NoSpaceError, StoreUnavailableError } from '../backend/backend.ts'

/** Codes that stores answer with when they are full, or a quota of theirs is: Ceph, MinIO. */
const fullCodes: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

const missingCodes: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound'])

interface Told {
  readonly name: string
  readonly status: number | undefined
}

/** What the store, or the way to it, says about a failure. */
function told(error: unknown): Told {
  if (!(error instanceof Error)) return { name: String(error), status: undefined }
  const { name, code, $metadata } = error as Error & {
    readonly code?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  return { name: code ?? name, status: $metadata?.httpStatusCode }
}

export const isNamed = (error: unknown, name: string): boolean => told(error).name === name

/** Whether the store answered that it does not do what it was asked to: to ask once more does not help. */
export function hasRefused(error: unknown): boolean {
  const { status } = told(error instanceof StoreUnavailableError ? error.cause : error)
  return status !== undefined && ((status >= 400 && status < 500) || status === 501)
}

/** Does something at the store. @throws MissingDataError, NoSpaceError, StoreUnavailableError */
export async function asked<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    const { name, status } = told(cause)
    if (missingCodes.has(name)) throw new MissingDataError('the store has nothing of this name', { cause })
    if (fullCodes.has(name) || status === 507)
      throw new NoSpaceError(`the store is full (${name})`, { cause })
    const answer = status === undefined ? name : `${String(status)} ${name}`
    throw new StoreUnavailableError(`the store failed to ${what} (${answer})`, { cause })
  }
}

/**
 * The ETag of an answer, which every one about stored bytes has. One without comes from something else, such as a proxy
 * that has a page for when the store is away: with a good status it looks like success.
 * @throws StoreUnavailableError
 */
export function etagOf({ ETag }: { readonly ETag?: string | undefined }): string {
  if (ETag === undefined) throw new StoreUnavailableError('something else answered in the place of the store')
  return ETag
}

/**
 * An upload that is gone was given up, by us or by a rule of the bucket: its parts are lost.
 * @throws MissingDataError then, and what the work throws otherwise
 */
export async function unlessLost<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StoreUnavailableError && isNamed(error.cause, 'NoSuchUpload'))
      throw new MissingDataError('the store has given an unfinished file up', { cause: error })
    throw error
  }
}
