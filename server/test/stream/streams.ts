import { streamPath, type File, type Upload, type UploadOptions } from '@svc/contract'
import { expect } from 'vitest'
import { openConnections } from '../../src/platform/tcp-table.ts'
import { sendRequest, type TestResponse } from '../support/clients/send-request.ts'
import { boundary, fileForm, formType, partHead } from '../support/clients/forms.ts'
import {
  rawConnection,
  requestHead,
  type RawResponse,
  type RawConnection,
} from '../support/clients/raw-connection.ts'
import type { TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

type Served = Pick<TestServer, 'client' | 'url'>

/** A stream upload with one declared file and no sender. */
export interface Declared {
  readonly upload: Upload
  readonly token: string
  readonly file: File
  /** The URL of its stream, for both sides. */
  readonly path: string
}

interface Options extends UploadOptions {
  readonly fileName?: string
  readonly fileSize?: number
}

export async function declareStream(
  { client }: Served,
  { fileName = 'file.bin', fileSize, ...options }: Options = {},
): Promise<Declared> {
  const files = [{ fileName, ...(fileSize !== undefined && { fileSize }) }]
  const upload = await client.createUpload({ stream: true, ...options, files })
  const [file] = upload.files
  if (file === undefined) throw new Error('the file was not declared')
  return { upload, token: upload.uploadToken ?? '', file, path: streamPath(upload.id, file.id, fileName) }
}

/** Sends a whole form and waits for the response. */
export const sendWhole = (
  url: string,
  { path, token }: Declared,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  sendRequest(url, path, {
    method: 'POST',
    headers: { 'content-type': formType, 'x-uploadtoken': token, ...headers },
    body: fileForm(content),
  })

export const partStart = partHead({ fileName: 'file.bin', content: '' })
export const partEnd = `\r\n--${boundary}--\r\n`

interface SenderOptions {
  /** Bytes of the file; without them, the form is chunked. */
  readonly size?: number
  readonly expect?: boolean
  readonly token?: string
}

/** The head of a request with a file, on a separate connection; the test writes the rest. */
export async function openSender(
  url: string,
  { path, token }: Declared,
  { size, expect: expects = false, ...options }: SenderOptions = {},
): Promise<RawConnection> {
  const connection = await rawConnection(url)
  const length =
    size === undefined
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': partStart.length + size + partEnd.length }
  await connection.send(
    requestHead('POST', path, {
      'X-UploadToken': options.token ?? token,
      'Content-Type': formType,
      ...length,
      ...(expects && { Expect: '100-continue' }),
    }),
  )
  return connection
}

const awaitContinue = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Waits until a sender with 100-continue may send: a recipient has connected. */
export async function isTaken(sender: RawConnection): Promise<void> {
  expect((await sender.take(awaitContinue.length)).toString()).toBe(awaitContinue)
}

/** A download on a separate connection, whose body the test reads. */
export async function openDownload(url: string, path: string): Promise<RawConnection> {
  const connection = await rawConnection(url)
  await connection.send(requestHead('GET', path))
  return connection
}

export const statusOf = async ({ client }: Served, { upload, token }: Declared) =>
  (await client.upload(upload.id, { uploadToken: token })).files[0]?.status

/** Waits until the file is in a state, as all instances see it. */
export const becomes = (server: Served, declared: Declared, status: File['status']) =>
  until(`the file is ${status}`, async () => (await statusOf(server, declared)) === status)

/** Asserts that the stream still works: one client sends, and another gets every byte. */
export async function expectToWork(
  server: Served,
  declared: Declared,
  { from = server, content = 'sent anew' } = {},
): Promise<void> {
  const sent = sendWhole(server.url, declared, content)
  await becomes(server, declared, 'uploading')
  const got = await sendRequest(from.url, declared.path)
  expect([got.status, got.text]).toEqual([200, content])
  expect((await sent).status).toBe(200)
  expect(await statusOf(server, declared)).toBe('removed')
}

/** A response that the test read, in the form that `sendRequest` returns. */
export const asResponse = ({ status, headers, body }: RawResponse): TestResponse => ({
  status,
  headers,
  body,
  text: body.toString(),
})

/** Advances the clock by a second, in which the server checks the connections that are not read. */
export async function checkReaders({ clock }: Pick<TestServer, 'clock'>): Promise<void> {
  clock.advance(1_000)
  await openConnections()
}
