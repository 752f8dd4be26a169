import { MissingDataError, NoSpaceError, StoreUnavailableError } from '../../backend/backend.ts'

/** Error codes of full stores and quotas: Ceph, MinIO. */
const fullCodes: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

const missingCodes: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound'])

interface ErrorInfo {
  readonly name: string
  readonly status: number | undefined
}

/** The code and the status of an error of the store or the network. */
function errorInfo(error: unknown): ErrorInfo {
  if (!(error instanceof Error)) return { name: String(error), status: undefined }
  const { name, code, $metadata } = error as Error & {
    readonly code?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  return { name: code ?? name, status: $metadata?.httpStatusCode }
}

export const isNamed = (error: unknown, name: string): boolean => errorInfo(error).name === name

/** Whether the store rejected the request, so that a retry does not help. */
export function isRejected(error: unknown): boolean {
  const { status } = errorInfo(error instanceof StoreUnavailableError ? error.cause : error)
  return status !== undefined && ((status >= 400 && status < 500) || status === 501)
}

/**
 * Calls the store, and maps its errors.
 * @throws MissingDataError, NoSpaceError, StoreUnavailableError
 */
export async function callStore<Result>(what: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (cause) {
    const { name, status } = errorInfo(cause)
    if (missingCodes.has(name)) throw new MissingDataError('the store has nothing of this name', { cause })
    if (fullCodes.has(name) || status === 507)
      throw new NoSpaceError(`the store is full (${name})`, { cause })
    if (name === 'NoSuchBucket')
      throw new StoreUnavailableError('the bucket does not exist (DataBackendConfig.Bucket)', { cause })
    const response = status === undefined ? name : `${String(status)} ${name}`
    throw new StoreUnavailableError(`the store failed to ${what} (${response})`, { cause })
  }
}

/**
 * The ETag of a response, which every response about stored bytes has. A response without it comes from another server, such
 * as a proxy with an error page, whose status may look like success.
 * @throws StoreUnavailableError
 */
export function etagOf({ ETag }: { readonly ETag?: string | undefined }): string {
  if (ETag === undefined)
    throw new StoreUnavailableError('another program responded at the address of the store')
  return ETag
}

/**
 * A missing multipart upload was aborted, by us or by a lifecycle rule of the bucket: its parts are lost.
 * @throws MissingDataError then, and what the work throws otherwise
 */
export async function mapLostUpload<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StoreUnavailableError && isNamed(error.cause, 'NoSuchUpload'))
      throw new MissingDataError('the store has aborted an unfinished file', { cause: error })
    throw error
  }
}
