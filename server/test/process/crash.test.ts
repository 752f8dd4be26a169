import { filePath, type File } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { cleanOnce } from '../../src/core/cleanup/clean.ts'
import { withService } from '../../src/composition/server.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { head, beginPart, patch, newFile } from '../resumable/tus.ts'
import { fileStatuses, lookUp, storedFiles } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const finished = Buffer.from(randomBytes(300_000))
const arriving = Buffer.from(randomBytes(6_000_000))
const body = fileForm(arriving, 'arriving')
const formEnd = body.length - body.indexOf(arriving) - arriving.length

let directory: string
let server: Svcd
let before: StoredUpload
beforeEach(async () => {
  directory = await emptyDirectory()
  server = await startSvcd(directory)
  before = await storeUpload(server, finished)
})
afterEach(async () => {
  server.kill('SIGKILL')
  await server.ended
})

/** What a process of this server does once the one that was killed counts as dead: it gives no sign for two minutes. */
function cleanLater() {
  const config = { ...defaultConfig(directory), logLevel: 'silent' as const }
  return withService(config, cleanOnce, { clock: manualClock(Date.now() + 200_000) })
}

/** Begins to send a file into the upload that has one already, and stops after some bytes of the form. */
async function sendUpTo(length: number): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  const headers = {
    'x-uploadtoken': before.uploadToken,
    'content-type': formType,
    'content-length': body.length,
  }
  await connection.send(requestHead('POST', `/file/${before.upload.id}`, headers))
  await connection.send(body.subarray(0, length))
  return connection
}

async function killAndRestart(): Promise<void> {
  server.kill('SIGKILL')
  expect((await server.ended).signal).toBe('SIGKILL')
  server = await startSvcd(directory)
}

async function expectFinishedIntact(): Promise<void> {
  const { status, body: stored } = await sendRequest(server.url, before.path)
  expect([status, stored.equals(finished)]).toEqual([200, true])
}

test.each<[string, number, boolean]>([
  ['before the first byte of the form', 0, false],
  ['before the first byte of the file', body.indexOf(arriving), false],
  ['in the middle of the file', 3_000_000, true],
  ['after the last byte of the file, before the end of the form', body.length - formEnd, true],
  ['one byte before the end of the form', body.length - '--\r\n'.length - 1, true],
])('killed %s: what was finished is whole, what was not is gone', async (_when, length, visible) => {
  const connection = await sendUpTo(length)
  if (visible) await until('the file is arriving', () => fileStatuses(server).includes('uploading'))
  await killAndRestart()
  connection.cut()

  await expectFinishedIntact()
  const { files } = await server.client.upload(before.upload.id)
  const partial = files.find(({ fileName }) => fileName === 'arriving')
  expect(partial?.status).toBe(visible ? 'uploading' : undefined)
  if (partial !== undefined) {
    const response = await sendRequest(server.url, filePath(before.upload.id, partial.id, 'arriving'))
    expect(errorIn(response)).toEqual({ status: 404, code: 'file_not_found' })
  }
  const archive = await sendRequest(server.url, `/archive/${before.upload.id}/all.zip`)
  expect([archive.status, archive.body.includes(arriving.subarray(0, 64))]).toEqual([200, false])

  await cleanLater()
  await cleanLater()
  expect(storedFiles(server)).toEqual([before.file.id])
  expect(fileStatuses(server).sort()).toEqual(visible ? ['deleted', 'uploaded'] : ['uploaded'])
  await expectFinishedIntact()
})

test('killed right after the response: the file is complete', async () => {
  const connection = await sendUpTo(body.length)
  const response = await connection.response()
  server.kill('SIGKILL')
  expect(response.status).toBe(200)
  await killAndRestart()
  const { id } = JSON.parse(response.body.toString()) as File
  const { body: stored } = await sendRequest(server.url, filePath(before.upload.id, id, 'arriving'))
  expect(stored.equals(arriving)).toBe(true)
  await cleanLater()
  await cleanLater()
  expect(storedFiles(server)).toEqual([before.file.id, id].sort())
  await expectFinishedIntact()
})

test('killed in the middle of the download of a one-shot file: it can be had again once the claim lapses', async () => {
  const bytes = Buffer.from(randomBytes(30_000_000))
  const { path } = await storeUpload(server, bytes, { oneShot: true })
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', path))
  await connection.take(1_000)
  await killAndRestart()
  expect(errorIn(await sendRequest(server.url, path))).toEqual({ status: 409, code: 'download_in_progress' })
  const later = await startTestServer({ directory, clock: manualClock(Date.now() + 120_000) })
  try {
    const { status, body: stored } = await sendRequest(later.url, path)
    expect([status, stored.equals(bytes)]).toEqual([200, true])
    await until('it is used up', async () => (await sendRequest(later.url, path)).status === 404)
  } finally {
    await later.close()
  }
})

test('killed during a resumable file: the next process on the machine knows at once that it has no writer', async () => {
  const file = await newFile(server, { size: arriving.length })
  expect((await patch(server, file, 0, arriving.subarray(0, 1_000_000))).status).toBe(204)
  const connection = await beginPart(server, file, 1_000_000, arriving.length - 1_000_000)
  await connection.send(arriving.subarray(1_000_000, 1_200_000))
  await until('it has a writer', () => lookUp(server, 'select writer from resumables').some(Boolean))
  server.kill('SIGKILL')
  await server.ended
  connection.cut()
  // Its clock stands still, so that the heartbeat timeout of the killed process never passes.
  const next = await startTestServer({ directory, clock: manualClock(Date.now()) })
  try {
    const { status, headers } = await head(next, file)
    const offset = Number(headers['upload-offset'])
    expect([status, offset >= 1_000_000 && offset <= 1_200_000]).toEqual([200, true])
    expect((await patch(next, file, offset, arriving.subarray(offset))).status).toBe(204)
  } finally {
    await next.close()
  }
})

test('killed while the sender of a part pauses: no received byte is lost', async () => {
  const file = await newFile(server, { size: arriving.length })
  const connection = await beginPart(server, file, 0, arriving.length)
  await connection.send(arriving.subarray(0, 5_500_001))
  await until('it is committed', () => lookUp(server, 'select received from resumables').includes(5_500_001))
  await killAndRestart()
  connection.cut()
  expect((await head(server, file)).headers['upload-offset']).toBe('5500001')
  expect((await patch(server, file, 5_500_001, arriving.subarray(5_500_001))).status).toBe(204)
})

test('killed repeatedly while many files arrive: all confirmed ones are complete, and nothing else stays', async () => {
  const stored = new Map<string, Buffer>()
  for (let round = 0; round < 3; round++) {
    const { upload, uploadToken } = before
    const sending = Array.from({ length: 12 }, async (_, index) => {
      const bytes = Buffer.from(randomBytes(50_000 + index * 40_000))
      const source = new Blob([bytes])
      const file = await server.client.addFile(upload.id, source, {
        fileName: `f${String(index)}`,
        uploadToken,
      })
      stored.set(filePath(upload.id, file.id, file.fileName), bytes)
    })
    await Promise.race(sending)
    await killAndRestart()
    await Promise.allSettled(sending)
  }
  expect(stored.size).toBeGreaterThan(0)
  await cleanLater()
  await cleanLater()
  for (const [path, bytes] of stored) {
    const { status, body: found } = await sendRequest(server.url, path)
    expect([path, status, found.equals(bytes)]).toEqual([path, 200, true])
  }
  // A file whose response was cut off may be complete: then it is listed. There is no other.
  const { files } = await server.client.upload(before.upload.id)
  const listed = files.filter(({ status }) => status === 'uploaded').map(({ id }) => id)
  expect(storedFiles(server)).toEqual(listed.sort())
  expect(files.filter(({ status }) => status === 'uploading')).toEqual([])
})
