import { headers as names, tusBytes, tusPath, type Upload } from '@svc/contract'
import { ApiError } from './api-error.ts'
import { waitAfter } from './back-off.ts'
import type { Connection, SendOptions } from './connection.ts'
import { segment } from './paths.ts'
import { knowsNoPieces, remedyFor } from './remedy.ts'
import type { StreamSource } from './source.ts'
import { offsetIn, stateOf, version } from './tus-state.ts'

/** Remembers where unfinished files go on: over a reload of the page, or the next start of a program. */
export interface ResumeMemory {
  readonly get: (key: string) => Promise<string | null | undefined> | string | null | undefined
  readonly set: (key: string, value: string) => Promise<void> | void
  readonly remove: (key: string) => Promise<void> | void
}

/** How a file goes in pieces, so that it can go on after a connection was cut. */
export interface PiecesOptions {
  /** Files of more bytes go in pieces; 16 MiB unless told otherwise. */
  readonly above?: number
  /** Bytes of the largest piece; without it as much as the way to the server lets pass. */
  readonly largest?: number
  readonly memory?: ResumeMemory
  /** What tells this file from others of the memory, such as its name, size and date. */
  readonly fingerprint?: string
  /** Told when nothing comes through, each time before it is tried again. */
  readonly onCut?: (error: unknown) => void
}

export const piecesAbove = 16 * 1024 * 1024

/** What a proxy with a limit for bodies is tried with first, and what it must let pass. Bytes. */
const firstSmaller = 64 * 1024 * 1024
const smallest = 1024 * 1024

/** Files of so many bytes go together with the request that begins them, where that may be repeated. */
const inOneRequest = smallest

/** So many times nothing more may come through in a row. */
const mostFailures = 10

/** A file on its way, by a way to the server that may let less pass than we would like. */
export interface PiecesOf extends SendOptions, PiecesOptions {
  readonly uploadID: string
  readonly uploadToken?: string | undefined
  /** Of a file that was declared when the upload was created. */
  readonly fileID?: string | undefined
  readonly size: number
  readonly slice: (start: number, end: number) => Blob | StreamSource
}

/**
 * Sends a file in pieces by tus 1.0.0, and goes on where it was cut.
 * @returns id of the file; undefined when the server, or something before it, knows no such thing
 * @throws ApiError when the server refuses, or nothing comes through any more
 */
export async function sendInPieces(connection: Connection, of: PiecesOf): Promise<string | undefined> {
  const { size, signal } = of
  const begun = await beginning(connection, of)
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
  await of.memory?.remove(keyOf(connection, of))
  return fileID
}

const smaller = (piece: number) => Math.max(smallest, Math.min(firstSmaller, Math.floor(piece / 2)))

interface Begun {
  readonly fileID: string
  readonly offset: number
}

/**
 * Where the file goes on, or a new beginning. Whether a file was begun whose answer was lost, its id tells when it was
 * declared, else a reference that nobody else has.
 */
async function beginning(connection: Connection, of: PiecesOf): Promise<Begun | undefined> {
  const reference = randomReference()
  let fileID = await rememberedID(connection, of)
  let inDoubt = false
  let failure: unknown
  for (let failures = 0; ; failures += 1) {
    try {
      if (failures > 0) await connection.wait(waitAfter(failure, failures, connection.random), of.signal)
      if (inDoubt) fileID ??= of.fileID ?? (await begunAs(connection, of, reference))
      const begun = await goingOn(connection, of, fileID)
      if (begun !== undefined) return begun
      fileID = undefined
      inDoubt = true
      return await begin(connection, of, reference)
    } catch (error) {
      // Of a declared file others know, too.
      if (inDoubt && of.fileID === undefined && of.signal?.aborted) void forsake(connection, of, reference)
      of.signal?.throwIfAborted()
      if (failures >= mostFailures || remedyFor(error) !== 'again') throw error
      of.onCut?.(error)
      failure = error
    }
  }
}

/** `randomUUID` is there only where a page came over HTTPS. */
const randomReference = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Id of the file that was begun with a reference; undefined when there is none. */
async function begunAs(
  connection: Connection,
  { uploadID, uploadToken, signal }: PiecesOf,
  reference: string,
): Promise<string | undefined> {
  const path = `/upload/${segment(uploadID)}`
  const { files } = await connection.json<Upload>(path, { ...(signal && { signal }) }, { uploadToken })
  return files.find((file) => file.reference === reference)?.id
}

/** Gives a file up whose sending was ended before it had an id: nobody else knows of it. Never rejects. */
async function forsake(connection: Connection, of: PiecesOf, reference: string): Promise<void> {
  const { uploadID, uploadToken } = of
  try {
    const fileID = await begunAs(connection, { ...of, signal: undefined }, reference)
    if (fileID === undefined) return
    const path = tusPath(segment(uploadID), segment(fileID))
    await connection.call(path, { method: 'DELETE', headers: version }, { uploadToken })
  } catch {
    // Already gone; or no connection, then the server gives it up after a while.
  }
}

async function rememberedID(connection: Connection, of: PiecesOf): Promise<string | undefined> {
  const { memory, fingerprint } = of
  if (memory === undefined || fingerprint === undefined) return undefined
  const fileID = await memory.get(keyOf(connection, of))
  return fileID === null || fileID === '' ? undefined : fileID
}

async function remember(connection: Connection, of: PiecesOf, fileID: string): Promise<void> {
  if (of.fingerprint !== undefined) await of.memory?.set(keyOf(connection, of), fileID)
}

/** Undefined when the file was not begun, or is gone. */
async function goingOn(
  connection: Connection,
  of: PiecesOf,
  fileID: string | undefined,
): Promise<Begun | undefined> {
  const { memory, size } = of
  if (fileID === undefined) return undefined
  try {
    const state = await stateOf(connection, of, fileID)
    if (state.size === size) {
      await remember(connection, of, fileID)
      return { fileID, offset: state.offset }
    }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error
  }
  await memory?.remove(keyOf(connection, of))
  return undefined
}

async function begin(connection: Connection, of: PiecesOf, reference: string): Promise<Begun | undefined> {
  const { uploadID, uploadToken, fileID, fileName, size, signal } = of
  const known = fileID === undefined ? ['reference', reference] : ['fileID', fileID]
  const metadata = [['fileName', fileName], known]
    .map(([name = '', value = '']) => `${name} ${base64(value)}`)
    .join(',')
  const path = tusPath(segment(uploadID))
  const headers = { ...version, 'upload-length': String(size), 'upload-metadata': metadata }
  // A cut leaves nobody in doubt about a declared file: its id is known.
  const isWhole = fileID !== undefined && size > 0 && size <= inOneRequest
  try {
    const answer = isWhole
      ? await connection.sendPiece(path, {
          method: 'POST',
          headers: { ...headers, 'content-type': tusBytes.type },
          body: of.slice(0, size),
          onProgress: ({ sent }) => of.onProgress?.({ sent, total: size }),
          signal,
          uploadToken,
        })
      : await connection.call(path, { method: 'POST', headers, ...(signal && { signal }) }, { uploadToken })
    signal?.throwIfAborted()
    const id = answer.header(names.fileId)
    if (id === null) return undefined
    await remember(connection, of, id)
    return { fileID: id, offset: offsetIn(answer.header('upload-offset')) ?? 0 }
  } catch (error) {
    if (knowsNoPieces(error)) return undefined
    throw error
  }
}

const base64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

const keyOf = ({ base }: Connection, { uploadID, fingerprint = '' }: PiecesOf) =>
  `svc-resume ${base} ${uploadID} ${fingerprint}`

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
    throw new ApiError(
      answer.status,
      'invalid_answer',
      'something between answers in the place of the server',
    )
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
