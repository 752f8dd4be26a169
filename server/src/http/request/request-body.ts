import type { IncomingMessage } from 'node:http'
import type { IncomingFile } from '../../core/uploads/receive-file.ts'
import type { IncomingPart } from '../../core/resumable/append.ts'
import { requestTimeout, unsupportedMediaType, uploadAborted } from '../../domain/errors.ts'

/** The length that a request announces for its body, in bytes; 0 when it announces none. */
export const announcedLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0)

/** @throws ServiceError `unsupported_media_type` unless the body says that it is of this type */
export function requireType({ headers }: Pick<IncomingMessage, 'headers'>, type: string): void {
  const [said = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (said.trim().toLowerCase() !== type) throw unsupportedMediaType(type)
}

/** Whether a request has a body at all (RFC 9112 §6.3). */
export const announcesBody = (request: IncomingMessage): boolean =>
  announcedLength(request) > 0 || request.headers['transfer-encoding'] !== undefined

/** Emitted on a request whose body comes too slowly (`slow-bodies.ts`). */
export const tooSlow = Symbol('tooSlow')

/**
 * Calls back when a request breaks off before its body is read to its end, comes too slowly, or did so before.
 * @returns stops listening
 */
export function onBrokenRequest(request: IncomingMessage, broken: (error: Error) => void): () => void {
  const onError = (cause: unknown) => {
    broken(uploadAborted(cause))
  }
  const onClose = () => {
    // What had come and was not read yet is gone with the connection, even if it was all.
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
    // The listener for errors stays: a request may still break while its answer is being written.
  }
}

/**
 * Takes the body of a request as a piece of a file, which may break off.
 * @throws whatever `use` throws
 */
export async function receivePiece<Result>(
  request: IncomingMessage,
  use: (piece: Pick<IncomingPart, 'bytes' | 'length' | 'signal'>) => Promise<Result>,
): Promise<Result> {
  const broken = new AbortController()
  const forget = onBrokenRequest(request, (error) => {
    broken.abort(error)
  })
  const length = request.headers['transfer-encoding'] === undefined ? announcedLength(request) : null
  try {
    return await use({ bytes: request, length, signal: broken.signal })
  } finally {
    forget()
  }
}

/**
 * Takes the whole body of a request as a file.
 * @throws ServiceError `upload_aborted`, and whatever `use` throws
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
      complete: () => (request.complete ? Promise.resolve() : Promise.reject(uploadAborted())),
      signal: stop.signal,
    })
  } finally {
    forget()
  }
}
