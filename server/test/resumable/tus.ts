import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { filePath, tusPath, type File, type Upload, type UploadOptions } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { ask, jsonIn, type Answered } from '../support/ask.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/raw-connection.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'

/** A server to send requests to: a test server, a process, or an address. */
export interface Reachable {
  /** Base URL without a slash at the end. */
  readonly url: string
}

/** An upload, and the headers of its holder. */
export interface Door {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

/** A resumable file. */
export interface TusFile {
  readonly door: Door
  readonly id: string
  readonly path: string
}

type Headers = Readonly<Record<string, string | number>>

export const pieceType = 'application/offset+octet-stream'
export const version = { 'tus-resumable': '1.0.0' }

export const pairs = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export const checksum = (bytes: Uint8Array, algorithm = 'sha1'): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

/** A new upload of a guest. */
export async function openDoor(
  { client }: { readonly client: Client },
  options: UploadOptions = {},
): Promise<Door & { readonly upload: Upload }> {
  const upload = await client.createUpload(options)
  return { id: upload.id, headers: { 'x-uploadtoken': upload.uploadToken ?? '' }, upload }
}

/** A new upload of the owner of a token. */
export async function openDoorOf(server: Reachable, userToken: string, options: UploadOptions = {}) {
  const headers = { 'x-svctoken': userToken }
  const answer = await ask(server.url, '/upload', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(options),
  })
  expect(answer.status).toBe(200)
  const upload = jsonIn(answer) as Upload
  return { id: upload.id, headers, upload }
}

/** Any request of the protocol. */
export const tus = (
  server: Reachable,
  door: Door,
  method: string,
  {
    path = tusPath(door.id),
    headers = {},
    body,
  }: { path?: string; headers?: Headers; body?: Uint8Array } = {},
): Promise<Answered> =>
  ask(server.url, path, {
    method,
    headers: { ...version, ...door.headers, ...(body && { 'content-length': body.length }), ...headers },
    ...(body && { body }),
  })

export interface Creation {
  /** Bytes; null when the length is deferred. */
  readonly size?: number | null
  readonly metadata?: Readonly<Record<string, string>>
  readonly headers?: Headers
  readonly body?: Uint8Array
}

export const create = (
  server: Reachable,
  door: Door,
  { size = 0, metadata = { fileName: 'file.bin' }, headers = {}, body }: Creation = {},
): Promise<Answered> =>
  tus(server, door, 'POST', {
    headers: {
      ...(size === null ? { 'upload-defer-length': 1 } : { 'upload-length': size }),
      'upload-metadata': pairs(metadata),
      ...(body && { 'content-type': pieceType }),
      ...headers,
    },
    ...(body && { body }),
  })

export async function begin(server: Reachable, door: Door, creation: Creation = {}): Promise<TusFile> {
  const answer = await create(server, door, creation)
  expect([answer.status, answer.text]).toEqual([201, ''])
  const id = String(answer.headers['x-fileid'])
  return { door, id, path: tusPath(door.id, id) }
}

export const patch = (
  server: Reachable,
  { door, path }: TusFile,
  offset: number,
  body: Uint8Array,
  headers: Headers = {},
): Promise<Answered> =>
  tus(server, door, 'PATCH', {
    path,
    headers: { 'content-type': pieceType, 'upload-offset': offset, ...headers },
    body,
  })

export const head = (server: Reachable, { door, path }: TusFile): Promise<Answered> =>
  tus(server, door, 'HEAD', { path })

/**
 * The response to a request that a client repeats after a 503: the earlier connection, or another server, may
 * still hold the file.
 */
export const again = (request: () => Promise<Answered>): Promise<Answered> =>
  until('no other server has the file', async () => {
    const answer = await request()
    return answer.status === 503 ? false : answer
  })

export const headAgain = (server: Reachable, file: TusFile): Promise<Answered> =>
  again(() => head(server, file))

/** The offset of the file, as HEAD returns it. */
export async function offsetOf(server: Reachable, file: TusFile): Promise<number> {
  const { status, headers } = await head(server, file)
  expect(status).toBe(200)
  return Number(headers['upload-offset'])
}

/** A PATCH whose body the test writes. @param length the announced one; null for chunked */
export async function openPiece(
  server: Reachable,
  { door, path }: TusFile,
  offset: number,
  length: number | null,
  headers: Headers = {},
): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  await connection.send(
    requestHead('PATCH', path, {
      ...version,
      ...door.headers,
      'content-type': pieceType,
      'upload-offset': offset,
      ...(length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      ...headers,
    }),
  )
  return connection
}

export const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** The file as its upload lists it; the holder sees its offset, and no connection is cut for it. */
export async function listed(server: Reachable, { door, id }: Pick<TusFile, 'door' | 'id'>): Promise<File> {
  const answer = await ask(server.url, `/upload/${door.id}`, { headers: door.headers })
  const file = (jsonIn(answer) as Upload).files.find((each) => each.id === id)
  if (file === undefined) throw new Error(`no file ${id}: ${answer.text}`)
  return file
}

export const untilListed = (server: Reachable, file: TusFile, offset: number) =>
  until(`${String(offset)} bytes are stored`, async () => (await listed(server, file)).offset === offset)

/** Sends some bytes of a part and ends the connection: all of them arrive, and then nothing. */
export async function breakOff(
  server: Reachable,
  file: TusFile,
  offset: number,
  sent: Uint8Array,
  { announced = sent.length + 1, ...headers }: Headers & { readonly announced?: number } = {},
): Promise<void> {
  const connection = await openPiece(server, file, offset, announced, headers)
  await connection.send(sent)
  connection.socket.end()
  await connection.rest()
}

/** Asserts that a file is complete: the download equals the sent bytes, and its hashes are correct. */
export async function expectWhole(
  server: Reachable,
  file: TusFile,
  bytes: Uint8Array,
  { name = 'file.bin' } = {},
): Promise<void> {
  expect(await listed(server, file)).toMatchObject({
    status: 'uploaded',
    fileSize: bytes.length,
    md5: md5(bytes),
    fileName: name,
  })
  const answer = await ask(server.url, filePath(file.door.id, file.id, name), { headers: file.door.headers })
  expect([answer.status, answer.body.equals(bytes)]).toEqual([200, true])
}

/** Advances the clocks of some servers by a quarter of a second at a time until something is done. */
export async function ticking<Result>(
  servers: readonly { readonly clock: ManualClock }[],
  work: Promise<Result>,
): Promise<Result> {
  const waiting = { over: false }
  const end = () => {
    waiting.over = true
  }
  work.then(end, end)
  await until('it is done while time passes', () => {
    for (const { clock } of servers) clock.advance(250)
    return waiting.over
  })
  return work
}
