import { oneChunk } from '@svc/encryption'
import {
  ApiError,
  waitBeforeRetry,
  withRetries,
  type Connection,
  type RetryPolicy,
  type SeekableSource,
  type StreamSource,
} from '@svc/sdk'
import { foreignError } from '../addresses/foreign-error.ts'
import { Failure } from '../errors/failure.ts'

/** A file for a server of tus 1.0 (https://tus.io/protocols/resumable-upload). */
export interface TusFile {
  readonly endpoint: URL
  readonly name: string
  readonly source: SeekableSource | StreamSource
  /** A connection to the origin of an address, which may be another one than that of the endpoint. */
  readonly connectionTo: (url: URL) => Connection
  /** Credentials for an address. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
  /** @param sent bytes that the server has */
  readonly onProgress: (sent: number) => void
  /** The address of the file that an earlier run began. */
  readonly memory: TusMemory
}

export interface TusMemory {
  readonly get: () => Promise<URL | undefined>
  readonly set: (address: URL) => Promise<void>
  readonly remove: () => Promise<void>
}

const version = { 'tus-resumable': '1.0.0' }
const octets = { 'content-type': 'application/offset+octet-stream' }

/** Bytes of a part where a proxy limits bodies, and of a pipe, which is kept in memory until the server has it. */
const partBytes = 8 * 1024 * 1024

const base64 = (text: string) => Buffer.from(text).toString('base64')
const pathOf = ({ pathname, search }: URL) => pathname + search

const offsetIn = (value: string | null): number | undefined =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** @throws Failure when the server states an offset that no bytes of ours explain */
function requireOffset(address: URL, offset: number, from: number, to: number): number {
  if (offset >= from && offset <= to) return offset
  throw new Failure(
    `${address.href} states the offset ${String(offset)}, which should be from ${String(from)} to ${String(to)}`,
  )
}

/** Another connection may still write the file. */
const isRetryable =
  ({ isRetryable: isUsual = () => false }: RetryPolicy) =>
  (error: unknown) =>
    isUsual(error) || (error instanceof ApiError && (error.status === 409 || error.status === 423))

const repeatedly = <T>(policy: RetryPolicy, address: URL, work: () => Promise<T>): Promise<T> =>
  withRetries(policy, async () => {
    try {
      return await work()
    } catch (error) {
      throw foreignError(error, address)
    }
  })

/**
 * Sends a file by tus, and continues after interruptions.
 * @returns address of the file
 * @throws ApiError, Failure, the signal's reason
 */
export async function sendByTus(file: TusFile): Promise<URL> {
  const policy = { ...file.retryPolicy, isRetryable: isRetryable(file.retryPolicy) }
  const { source } = file
  return 'between' in source
    ? sendSeekable({ ...file, source }, policy)
    : sendPiped({ ...file, source }, policy)
}

type Length = { readonly 'upload-length': string } | { readonly 'upload-defer-length': '1' }

/** Creates a file on the server. One that was created without our knowledge stays empty, until the server removes it. */
async function create(file: TusFile, length: Length): Promise<URL> {
  const { endpoint, name, connectionTo, headersFor, signal } = file
  const metadata = `filename ${base64(name)}`
  const init = {
    method: 'POST',
    headers: {
      ...headersFor(endpoint),
      ...version,
      ...length,
      'upload-metadata': metadata,
      'content-length': '0',
    },
    signal,
  }
  const response = await connectionTo(endpoint).call(pathOf(endpoint), init)
  const location = URL.parse(response.header('location') ?? '', endpoint)
  if (response.status !== 201 || location === null)
    throw new Failure(`${endpoint.href} does not respond as a server of tus (no Location)`)
  return location
}

/** Bytes that the server has; undefined when it does not know the file any more. */
async function offsetAt(file: TusFile, address: URL): Promise<number | undefined> {
  const { connectionTo, headersFor, signal } = file
  try {
    const init = { method: 'HEAD', headers: { ...headersFor(address), ...version }, signal }
    const response = await connectionTo(address).call(pathOf(address), init)
    return offsetIn(response.header('upload-offset'))
  } catch (error) {
    if (error instanceof ApiError && [403, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

interface Part {
  readonly address: URL
  readonly offset: number
  readonly body: StreamSource & { readonly size: number }
  readonly headers?: Readonly<Record<string, string>>
}

/** @returns the offset of the next part */
async function sendPart(file: TusFile, { address, offset, body, headers = {} }: Part): Promise<number> {
  const response = await file.connectionTo(address).sendPart(pathOf(address), {
    method: 'PATCH',
    headers: {
      ...file.headersFor(address),
      ...version,
      ...octets,
      ...headers,
      'upload-offset': String(offset),
    },
    body,
    onProgress: ({ sent }) => {
      file.onProgress(offset + sent)
    },
    signal: file.signal,
  })
  const next = offsetIn(response.header('upload-offset'))
  if (next === undefined) throw new Failure(`${address.href} does not state its offset`)
  return requireOffset(address, next, offset, offset + body.size)
}

async function sendSeekable(
  file: TusFile & { readonly source: SeekableSource },
  policy: RetryPolicy,
): Promise<URL> {
  const { source, memory } = file
  const { size } = source
  const begun = await memory.get()
  let address = begun
  let offset = begun && (await repeatedly(policy, begun, () => offsetAt(file, begun)))
  if (address === undefined || offset === undefined || offset > size) {
    address = await repeatedly(policy, file.endpoint, () => create(file, { 'upload-length': String(size) }))
    offset = 0
    await memory.set(address)
  }
  let maxBytes = Infinity
  for (let failed = 0; offset < size;) {
    const start: number = offset
    const end = Math.min(size, start + maxBytes)
    file.onProgress(start)
    try {
      const body = { size: end - start, chunks: source.between(start, end) }
      offset = await sendPart(file, { address, offset: start, body })
      failed = offset > start ? 0 : failed + 1
      if (failed > policy.retries) throw new Failure(`${address.href} accepts no more bytes`)
    } catch (error) {
      const foreign = foreignError(error, address)
      if (foreign instanceof ApiError && foreign.status === 413 && maxBytes > partBytes) maxBytes = partBytes
      else await waitBeforeRetry(policy, (failed += 1), foreign)
      const known = await repeatedly(policy, address, () => offsetAt(file, address))
      if (known === undefined) throw new Failure(`the server has removed ${address.href} during the upload`)
      offset = requireOffset(address, known, 0, size)
      if (offset > start) failed = 0
    }
  }
  file.onProgress(size)
  await memory.remove()
  return address
}

/** Sends a pipe, whose length the server learns with the last part (extension creation-defer-length). */
async function sendPiped(
  file: TusFile & { readonly source: StreamSource },
  policy: RetryPolicy,
): Promise<URL> {
  const address = await repeatedly(policy, file.endpoint, () => create(file, { 'upload-defer-length': '1' }))
  let offset = 0
  for await (const { bytes, isLast } of partsOf(file.source)) {
    const begin = offset
    const end = begin + bytes.length
    const headers = isLast ? { 'upload-length': String(end) } : {}
    let isStored = false
    for (let failed = 0; !isStored;) {
      const start: number = offset
      const body = { size: end - start, chunks: oneChunk(bytes.subarray(start - begin)) }
      try {
        offset = await sendPart(file, { address, offset: start, body, headers })
        isStored = offset === end
        failed = offset > start ? 0 : failed + 1
        if (failed > policy.retries) throw new Failure(`${address.href} accepts no more bytes`)
      } catch (error) {
        await waitBeforeRetry(policy, (failed += 1), foreignError(error, address))
        const known = await repeatedly(policy, address, () => offsetAt(file, address))
        // The bytes before this part are not in memory any more.
        offset = requireOffset(address, known ?? start, begin, end)
        if (offset > start) failed = 0
        // An empty part has the length only, of which the offset says nothing.
        isStored = offset === end && end > begin
      }
    }
  }
  return address
}

/** A stream in parts of at least `partBytes`, but the last one, which may be empty. */
async function* partsOf({ chunks }: StreamSource) {
  let kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    // The source may overwrite its memory.
    kept.push(Uint8Array.from(chunk))
    size += chunk.length
    if (size < partBytes) continue
    yield { bytes: Buffer.concat(kept), isLast: false }
    kept = []
    size = 0
  }
  yield { bytes: Buffer.concat(kept), isLast: true }
}
