import { tusBytes, tusPath } from '@svc/contract'
import { ApiError } from '../api-error.ts'
import { waitAfter } from '../back-off.ts'
import type { Connection } from '../connection.ts'
import { segment } from '../paths.ts'
import { beginPieces } from './begin-pieces.ts'
import { mostFailures, type PiecesOf } from './pieces-of.ts'
import { forget } from './remembered.ts'
import { remedyFor } from './remedy.ts'
import { offsetIn, stateOf, version } from './tus-state.ts'

/** What a proxy with a limit for bodies is tried with first, and what it must let pass. Bytes. */
const firstSmaller = 64 * 1024 * 1024
const smallest = 1024 * 1024

/**
 * Sends a file in pieces by tus 1.0.0, and goes on where it was cut.
 * @returns id of the file; undefined when the server, or something before it, knows no such thing
 * @throws ApiError when the server refuses, or nothing comes through any more
 */
export async function sendInPieces(connection: Connection, of: PiecesOf): Promise<string | undefined> {
  const { size, signal } = of
  const begun = await beginPieces(connection, of)
  if (begun === undefined) return undefined
  const { fileID } = begun
  let { offset } = begun
  let largest = of.largest ?? Infinity
  let overridden = false
  let failures = 0
  while (offset < size) {
    const start = offset
    const end = Math.min(size, start + largest)
    try {
      offset = await sendPiece(connection, of, { fileID, start, end, overridden })
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      switch (remedyFor(error)) {
        case 'none':
          throw error
        case 'override':
          if (overridden) throw error
          overridden = true
          break
        case 'smaller':
          if (end - start <= smallest) throw error
          largest = smaller(end - start)
          break
        case 'again': {
          failures += 1
          if (failures > mostFailures) throw error
          of.onCut?.(error)
          offset = await offsetAfter(connection, of, { fileID, failures, error })
          if (offset > start) failures = 0
          // Some proxies cut what is too long for them without a word.
          else if (failures > 1 && end - start > smallest) largest = smaller(end - start)
        }
      }
    }
  }
  await forget(connection, of)
  return fileID
}

const smaller = (piece: number) => Math.max(smallest, Math.min(firstSmaller, Math.floor(piece / 2)))

interface Piece {
  readonly fileID: string
  readonly start: number
  readonly end: number
  readonly overridden: boolean
}

/** @returns where the next piece begins */
async function sendPiece(
  connection: Connection,
  { uploadID, uploadToken, size, slice, signal, onProgress }: PiecesOf,
  { fileID, start, end, overridden }: Piece,
): Promise<number> {
  const answer = await connection.sendPiece(tusPath(segment(uploadID), segment(fileID)), {
    method: overridden ? 'POST' : 'PATCH',
    headers: {
      ...version,
      'content-type': tusBytes.type,
      'upload-offset': String(start),
      ...(overridden && { 'x-http-method-override': 'PATCH' }),
    },
    body: slice(start, end),
    onProgress: ({ sent }) => onProgress?.({ sent: start + sent, total: size }),
    signal,
    uploadToken,
  })
  const offset = offsetIn(answer.header('upload-offset'))
  if (offset === undefined || offset <= start)
    throw new ApiError(answer.status, 'invalid_answer', 'a proxy answers in place of the server')
  return offset
}

/** Asks where the file goes on, once there is an answer again. */
async function offsetAfter(
  connection: Connection,
  of: PiecesOf,
  {
    fileID,
    failures,
    error,
  }: { readonly fileID: string; readonly failures: number; readonly error: unknown },
): Promise<number> {
  let reason = error
  for (let count = failures; ; count += 1) {
    await connection.wait(waitAfter(reason, count, connection.random), of.signal)
    try {
      return (await stateOf(connection, of, fileID)).offset
    } catch (error) {
      of.signal?.throwIfAborted()
      if (count >= mostFailures || remedyFor(error) !== 'again') throw error
      reason = error
    }
  }
}
