import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { IncomingFile } from '../../core/uploads/receive/receive-file.ts'
import type { IncomingPart } from '../../core/resumable/append.ts'
import {
  abortError,
  bodyTooBig,
  requestTimeout,
  unsupportedMediaType,
  uploadAborted,
} from '../../domain/errors.ts'

/** The announced length of the body in bytes; 0 without one. */
export const announcedLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0)

/** The announced length of the body in bytes; null for a body of unknown length. */
export const knownLength = (request: IncomingMessage): number | null =>
  request.headers['transfer-encoding'] === undefined ? announcedLength(request) : null

/** @throws ServiceError `unsupported_media_type` unless the body has this content type */
export function requireType({ headers }: Pick<IncomingMessage, 'headers'>, type: string): void {
  const [contentType = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (contentType.trim().toLowerCase() !== type) throw unsupportedMediaType(type)
}

/** Whether a request has a body at all (RFC 9112 §6.3). */
export const announcesBody = (request: IncomingMessage): boolean =>
  announcedLength(request) > 0 || request.headers['transfer-encoding'] !== undefined

/** Refuses bodies in transfer codings other than chunked (RFC 9112 §6.1): they would be stored as they are sent. */
export function checkTransferCodings(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const coding = headers['transfer-encoding']?.trim().toLowerCase()
    const isKnown = coding === undefined || coding === 'chunked'
    done(isKnown ? undefined : unsupportedMediaType('sent with no transfer coding but chunked'))
  })
}

/** Emitted on a request whose body is too slow (`slow-bodies.ts`). */
export const tooSlow = Symbol('tooSlow')

/**
 * Calls back when a request is aborted before its body is read completely or is too slow, now or before the call.
 * @returns a function that stops listening
 */
export function onBrokenRequest(request: IncomingMessage, broken: (error: Error) => void): () => void {
  const onError = (cause: unknown) => {
    broken(uploadAborted(cause))
  }
  const onClose = () => {
    // Bytes that were received and not read are lost with the connection, even if the body was complete.
    if (!request.readableEnded) broken(uploadAborted())
  }
  const onSlow = () => {
    broken(requestTimeout())
  }
  if (request.destroyed) onClose()
  request.on('error', onError)
  request.on('close', onClose)
  request.on(tooSlow, onSlow)
  return () => {
    request.off('close', onClose)
    request.off(tooSlow, onSlow)
    // The error listener stays: the request can still fail while its response is being written.
  }
}

/**
 * Receives the body of a request as a part of a file, which can be incomplete.
 * @throws the errors of `use`
 */
export async function receivePartBody<Result>(
  request: IncomingMessage,
  use: (part: Pick<IncomingPart, 'bytes' | 'length' | 'signal'>) => Promise<Result>,
): Promise<Result> {
  const broken = new AbortController()
  const forget = onBrokenRequest(request, (error) => {
    broken.abort(error)
  })
  try {
    return await use({ bytes: request, length: knownLength(request), signal: broken.signal })
  } finally {
    forget()
  }
}

/**
 * Reads the whole body of a request into memory.
 * @param maxBytes maximum size of the body
 * @throws ServiceError `body_too_big`, `upload_aborted`, `request_timeout`
 */
export const receiveSmall = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  receivePartBody(request, async ({ length, signal }) => {
    if ((length ?? 0) > maxBytes) throw bodyTooBig(maxBytes)
    const broken = new Promise<never>((_resolve, reject) => {
      const fail = () => {
        reject(abortError(signal.reason))
      }
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail, { once: true })
    })
    return Promise.race([broken, readUpTo(request, maxBytes)])
  })

async function readUpTo(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // A destroyed request would lose its connection before the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw abortError(cause)
  }
  if (bytes > maxBytes) throw bodyTooBig(maxBytes)
  if (!request.complete) throw uploadAborted()
  return Buffer.concat(chunks)
}

/**
 * Receives the whole body of a request as a file.
 * @throws ServiceError `upload_aborted`, and the errors of `use`
 */
export async function receiveRaw<Result>(
  request: IncomingMessage,
  fileName: string,
  use: (file: IncomingFile) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const forget = onBrokenRequest(request, (error) => {
    stop.abort(error)
  })
  try {
    return await use({
      fileName,
      bytes: request,
      expectedSize: announcedLength(request),
      requestLength: knownLength(request),
      complete: () => (request.complete ? Promise.resolve() : Promise.reject(uploadAborted())),
      signal: stop.signal,
    })
  } finally {
    forget()
  }
}
