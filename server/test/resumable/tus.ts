import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { filePath, tusPath, type File, type Upload, type UploadOptions } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { sendRequest, jsonIn, type TestResponse } from '../support/clients/send-request.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import type { ManualClock } from '../support/clocks/manual-clock.ts'
import { until } from '../support/until.ts'

/** A server to send requests to: a test server, a process, or an address. */
export interface Reachable {
  /** Base URL without a slash at the end. */
  readonly url: string
}

/** An upload, and the headers of its holder. */
export interface UploadTarget {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

/** A resumable file. */
export interface TusFile {
  readonly target: UploadTarget
  readonly id: string
  readonly path: string
}

type Headers = Readonly<Record<string, string | number>>

export const partType = 'application/offset+octet-stream'
export const version = { 'tus-resumable': '1.0.0' }

export const pairs = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export const checksum = (bytes: Uint8Array, algorithm = 'sha1'): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

/** A new upload of a guest. */
export async function newTarget(
  { client }: { readonly client: Client },
  options: UploadOptions = {},
): Promise<UploadTarget & { readonly upload: Upload }> {
  const upload = await client.createUpload(options)
  return { id: upload.id, headers: { 'x-uploadtoken': upload.uploadToken ?? '' }, upload }
}

/** A new upload of the owner of a token. */
export async function openTargetOf(server: Reachable, userToken: string, options: UploadOptions = {}) {
  const headers = { 'x-svctoken': userToken }
  const response = await sendRequest(server.url, '/upload', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(options),
  })
  expect(response.status).toBe(200)
  const upload = jsonIn(response) as Upload
  return { id: upload.id, headers, upload }
}

/** Any request of the protocol. */
export const tus = (
  server: Reachable,
  target: UploadTarget,
  method: string,
  {
    path = tusPath(target.id),
    headers = {},
    body,
  }: { path?: string; headers?: Headers; body?: Uint8Array } = {},
): Promise<TestResponse> =>
  sendRequest(server.url, path, {
    method,
    headers: { ...version, ...target.headers, ...(body && { 'content-length': body.length }), ...headers },
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
  target: UploadTarget,
  { size = 0, metadata = { fileName: 'file.bin' }, headers = {}, body }: Creation = {},
): Promise<TestResponse> =>
  tus(server, target, 'POST', {
    headers: {
      ...(size === null ? { 'upload-defer-length': 1 } : { 'upload-length': size }),
      'upload-metadata': pairs(metadata),
      ...(body && { 'content-type': partType }),
      ...headers,
    },
    ...(body && { body }),
  })

export async function begin(
  server: Reachable,
  target: UploadTarget,
  creation: Creation = {},
): Promise<TusFile> {
  const response = await create(server, target, creation)
  expect([response.status, response.text]).toEqual([201, ''])
  const id = String(response.headers['x-fileid'])
  return { target, id, path: tusPath(target.id, id) }
}

/** A new resumable file in a new upload of a guest. */
export const newFile = async (
  server: Reachable & { readonly client: Client },
  creation: Creation = {},
  options: UploadOptions = {},
): Promise<TusFile> => begin(server, await newTarget(server, options), creation)

/** Sends partial uploads. */
export const sendParts = (
  server: Reachable,
  target: UploadTarget,
  parts: readonly Uint8Array[],
): Promise<TusFile[]> =>
  Promise.all(
    parts.map((body) =>
      begin(server, target, {
        size: body.length,
        metadata: {},
        headers: { 'upload-concat': 'partial' },
        ...(body.length > 0 && { body }),
      }),
    ),
  )

/** Requests a final upload. */
export const joinParts = (
  server: Reachable,
  target: UploadTarget,
  parts: readonly TusFile[],
  metadata: Readonly<Record<string, string>> = { fileName: 'file.bin' },
): Promise<TestResponse> =>
  tus(server, target, 'POST', {
    headers: {
      'upload-concat': `final;${parts.map(({ path }) => server.url + path).join(' ')}`,
      'upload-metadata': pairs(metadata),
    },
  })

export const patch = (
  server: Reachable,
  { target, path }: TusFile,
  offset: number,
  body: Uint8Array,
  headers: Headers = {},
): Promise<TestResponse> =>
  tus(server, target, 'PATCH', {
    path,
    headers: { 'content-type': partType, 'upload-offset': offset, ...headers },
    body,
  })

export const head = (server: Reachable, { target, path }: TusFile): Promise<TestResponse> =>
  tus(server, target, 'HEAD', { path })

/**
 * The response to a request that a client repeats after a 503: the earlier connection, or another server, may
 * still hold the file.
 */
export const again = (request: () => Promise<TestResponse>): Promise<TestResponse> =>
  until('no other server has the file', async () => {
    const response = await request()
    return response.status === 503 ? false : response
  })

export const headAgain = (server: Reachable, file: TusFile): Promise<TestResponse> =>
  again(() => head(server, file))

/** The offset of the file, as HEAD returns it. */
export async function offsetOf(server: Reachable, file: TusFile): Promise<number> {
  const { status, headers } = await head(server, file)
  expect(status).toBe(200)
  return Number(headers['upload-offset'])
}

/**
 * A PATCH whose body the test writes.
 * @param length the announced one; null for chunked
 */
export async function beginPart(
  server: Reachable,
  { target, path }: TusFile,
  offset: number,
  length: number | null,
  headers: Headers = {},
): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  await connection.send(
    requestHead('PATCH', path, {
      ...version,
      ...target.headers,
      'content-type': partType,
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
export async function readListedFile(
  server: Reachable,
  { target, id }: Pick<TusFile, 'target' | 'id'>,
): Promise<File> {
  const response = await sendRequest(server.url, `/upload/${target.id}`, { headers: target.headers })
  const file = (jsonIn(response) as Upload).files.find((each) => each.id === id)
  if (file === undefined) throw new Error(`no file ${id}: ${response.text}`)
  return file
}

export const untilListed = (server: Reachable, file: TusFile, offset: number) =>
  until(
    `${String(offset)} bytes are stored`,
    async () => (await readListedFile(server, file)).offset === offset,
  )

/** Sends some bytes of a part and ends the connection: all of them arrive, and then nothing. */
export async function breakOff(
  server: Reachable,
  file: TusFile,
  offset: number,
  sent: Uint8Array,
  { announced = sent.length + 1, ...headers }: Headers & { readonly announced?: number } = {},
): Promise<void> {
  const connection = await beginPart(server, file, offset, announced, headers)
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
  expect(await readListedFile(server, file)).toMatchObject({
    status: 'uploaded',
    fileSize: bytes.length,
    md5: md5(bytes),
    fileName: name,
  })
  const response = await sendRequest(server.url, filePath(file.target.id, file.id, name), {
    headers: file.target.headers,
  })
  expect([response.status, response.body.equals(bytes)]).toEqual([200, true])
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
