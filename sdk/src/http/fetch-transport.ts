import { ApiError, networkError, responseError, type ResponseText } from '../errors/api-error.ts'
import { bodyChunks } from './body-chunks.ts'
import { multipartBody } from './multipart.ts'
import { countedChunks } from '../source/source.ts'
import type { SendForm, SendPart } from './transport.ts'

export type Fetch = typeof globalThis.fetch

export interface FetchRequest extends Omit<RequestInit, 'headers' | 'signal'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Required for a stream as a body. The types of the DOM lack it. */
  readonly duplex?: 'half'
}

/**
 * Sends a request, and returns a response of any status.
 * @throws ApiError with the code `network`, or of a redirect that cannot be followed; the signal's reason when it was aborted
 */
async function send(fetch: Fetch, url: string, init: FetchRequest): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason
    throw error instanceof ApiError ? error : networkError(error)
  }
}

/** Maximum bytes of a body that is read completely. Those of the service are far smaller. */
const maxTextBytes = 16 * 1024 * 1024

/**
 * The body as text. An interrupted connection is a network error, too.
 * @throws ApiError `invalid_response` when it is longer than a response of the service can be
 */
async function read(response: Response, signal: AbortSignal | undefined): Promise<ResponseText> {
  const { status, statusText } = response
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of bodyChunks(response, signal)) {
    size += chunk.length
    if (size > maxTextBytes)
      throw new ApiError(status, 'invalid_response', 'the response is larger than 16 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  text += decoder.decode()
  return { status, statusText, text, header: (name) => response.headers.get(name) }
}

/**
 * A successful response with its body unread.
 * @throws ApiError on refusal
 */
export async function open(fetch: Fetch, url: string, init: FetchRequest): Promise<Response> {
  const response = await send(fetch, url, init)
  if (response.ok) return response
  throw responseError(await read(response, init.signal))
}

/**
 * A successful response with its body as text.
 * @throws ApiError on refusal
 */
export async function request(fetch: Fetch, url: string, init: FetchRequest): Promise<ResponseText> {
  return read(await open(fetch, url, init), init.signal)
}

/** Keeps the error of a failed source, to throw it instead of a network error. */
async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for await (const chunk of chunks) yield chunk as Uint8Array<ArrayBuffer>
  } catch (error) {
    onFailure(error)
    throw error
  }
}

/** One chunk per pull, so that the source is not read faster than the connection sends. */
function streamOf(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const next = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

interface StreamRequest {
  readonly method: 'PATCH' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes; undefined when unknown. */
  readonly length: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Bytes of a body that is sent as one buffer: a stream for each of thousands of small files takes longer than the request. */
const maxBufferedBytes = 64 * 1024

/** @throws ApiError `network` when the source has another size than it says; the errors of the source */
async function bufferOf(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  let filled = 0
  for await (const chunk of chunks) {
    if (filled + chunk.length > length) throw networkError(new Error('the source is longer than its size'))
    // The source may use the memory of a chunk again.
    bytes.set(chunk, filled)
    filled += chunk.length
  }
  if (filled < length) throw networkError(new Error('the source is shorter than its size'))
  return bytes
}

async function sendBody(fetch: Fetch, request: StreamRequest): Promise<ResponseText> {
  const { method, url, headers, chunks, length, signal } = request
  if (length === undefined || length > maxBufferedBytes) return sendStream(fetch, request)
  const body = await bufferOf(chunks, length)
  signal?.throwIfAborted()
  const init = {
    method,
    headers: { ...headers, 'content-length': String(length) },
    body,
    ...(signal && { signal }),
  }
  return read(await send(fetch, url, init), signal)
}

async function sendStream(fetch: Fetch, request: StreamRequest): Promise<ResponseText> {
  const { method, url, signal, length } = request
  let failure: { readonly error: unknown } | undefined
  const chunks = watched(request.chunks, (error) => {
    failure = { error }
  })
  const init: FetchRequest = {
    method,
    headers: { ...request.headers, ...(length !== undefined && { 'content-length': String(length) }) },
    body: streamOf(chunks),
    duplex: 'half',
    ...(signal && { signal }),
  }
  try {
    return await read(await send(fetch, url, init), signal)
  } catch (error) {
    throw failure ? failure.error : error
  }
}

/** Sends forms through fetch, as a counted stream. For Node: browsers do not stream bodies over HTTP/1. */
export const fetchForms =
  (fetch: Fetch): SendForm =>
  (form) => {
    const { contentType, chunks, length } = multipartBody(form, `svc-${crypto.randomUUID()}`)
    const headers = { ...form.headers, 'content-type': contentType }
    return sendBody(fetch, { ...form, method: 'POST', headers, chunks, length })
  }

/** Sends parts of files through fetch. */
export const fetchParts =
  (fetch: Fetch): SendPart =>
  ({ body, onProgress, ...request }) =>
    sendBody(fetch, { ...request, chunks: countedChunks(body, onProgress), length: body.size })
