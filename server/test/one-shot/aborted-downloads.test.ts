import { archivePath } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

/**
 * Far more than the network holds between the two sides, so that the sent bytes approximate the read ones.
 */
const size = 48 * mebibyte
const bytes = randomBytes(size)
/**
 * The bytes that the network still accepts of a stalled download must not reach the last byte: that would end
 * it.
 */
const beyondHalf = size / 2 + mebibyte

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const storeOneShot = () => storeUpload(server, bytes, { oneShot: true })

/** A download that has received some bytes and then stalls. */
async function stalledDownload(base: string, path: string, length: number): Promise<RawConnection> {
  const connection = await rawConnection(base)
  await connection.send(requestHead('GET', path))
  expect((await connection.head()).status).toBe(200)
  await connection.take(length)
  return connection
}

const released = (fileID: string) =>
  until(
    'the claim is released',
    () => lookUp(server, `select claim from files where id = '${fileID}'`)[0] === null,
  )

async function breakOff(path: string, fileID: string, length: number): Promise<void> {
  const connection = await stalledDownload(server.url, path, length)
  connection.cut()
  await released(fileID)
}

test('a parallel download gets an error, and a download that is cut before half leaves the file as it was', async () => {
  const { path, file } = await storeOneShot()
  for (let round = 0; round < 5; round++) {
    const connection = await stalledDownload(server.url, path, 1)
    expect(errorIn(await sendRequest(server.url, path))).toEqual({
      status: 409,
      code: 'download_in_progress',
    })
    expect((await sendRequest(server.url, path, { method: 'HEAD' })).status).toBe(200)
    connection.cut()
    await released(file.id)
  }
  const { status, body } = await sendRequest(server.url, path)
  expect([status, body.equals(bytes)]).toEqual([200, true])
  expect(errorIn(await sendRequest(server.url, path))).toEqual({ status: 404, code: 'file_not_found' })
})

test('two downloads that are cut beyond half release the file, the third consumes it', async () => {
  const { path, file, upload } = await storeOneShot()
  const statuses: (string | undefined)[] = []
  for (let round = 0; round < 3; round++) {
    await breakOff(path, file.id, beyondHalf)
    statuses.push((await server.client.upload(upload.id)).files[0]?.status)
  }
  expect(statuses).toEqual(['uploaded', 'uploaded', 'removed'])
  expect(errorIn(await sendRequest(server.url, path))).toEqual({ status: 404, code: 'file_not_found' })
})

test('a download that succeeds after two cuts beyond half gets every byte', async () => {
  const { path, file } = await storeOneShot()
  for (let round = 0; round < 2; round++) await breakOff(path, file.id, beyondHalf)
  const { status, body } = await sendRequest(server.url, path)
  expect([status, body.equals(bytes)]).toEqual([200, true])
})

test('an archive claims all files: where one is claimed it is rejected and leaves the others', async () => {
  const { upload, uploadToken, path, file } = await storeUpload(server, 'first', {
    oneShot: true,
    fileName: '1',
  })
  const { client } = server
  const big = await client.addFile(upload.id, new Blob([bytes]), { fileName: '2', uploadToken })
  const archive = archivePath(upload.id, 'all.zip')

  const connection = await stalledDownload(server.url, `/file/${upload.id}/${big.id}/2`, 1)
  expect(errorIn(await sendRequest(server.url, archive))).toEqual({
    status: 409,
    code: 'download_in_progress',
  })
  await released(file.id)
  expect((await sendRequest(server.url, path)).text).toBe('first')
  connection.cut()
  await released(big.id)

  const whole = await sendRequest(server.url, archive)
  expect([whole.status, whole.body.includes(bytes.subarray(0, 4_096))]).toEqual([200, true])
  expect((await client.upload(upload.id)).files.map(({ status }) => status)).toEqual(['removed', 'removed'])
})

test('an archive that is cut in its first file releases all its files', async () => {
  const { upload, uploadToken, file, path } = await storeUpload(server, bytes, {
    oneShot: true,
    fileName: '1',
  })
  const { client } = server
  const last = await client.addFile(upload.id, new Blob(['last']), { fileName: '2', uploadToken })
  const connection = await stalledDownload(server.url, archivePath(upload.id, 'all.zip'), 1)
  expect(errorIn(await sendRequest(server.url, path)).status).toBe(409)
  connection.cut()
  await released(file.id)
  await released(last.id)
  expect((await client.upload(upload.id)).files.map(({ status }) => status)).toEqual(['uploaded', 'uploaded'])
})

test.each([5, 300_000])(
  'a file of %i bytes that an archive has sent is used up when the archive is cut',
  async (length) => {
    const first = randomBytes(length)
    const { upload, uploadToken, path } = await storeUpload(server, first, { oneShot: true, fileName: '1' })
    const { client } = server
    const big = await client.addFile(upload.id, new Blob([bytes]), { fileName: '2', uploadToken })
    await breakOff(archivePath(upload.id, 'all.zip'), big.id, 1_000_000)
    expect((await client.upload(upload.id)).files.map(({ status }) => status)).toEqual([
      'removed',
      'uploaded',
    ])
    expect(errorIn(await sendRequest(server.url, path)).status).toBe(404)
  },
)

test('a file that an archive has sent is not served again after a crash', async () => {
  const { upload, uploadToken, file } = await storeUpload(server, 'first', { oneShot: true, fileName: '1' })
  const { client } = server
  const big = await client.addFile(upload.id, new Blob([bytes]), { fileName: '2', uploadToken })
  const connection = await stalledDownload(server.url, archivePath(upload.id, 'all.zip'), 1_000_000)
  // A sealed claim that expires, as after a crash, uses the file up.
  expect(lookUp(server, `select sealed from files where id = '${file.id}'`)).toEqual([1])
  expect(lookUp(server, `select sealed from files where id = '${big.id}'`)).toEqual([0])
  connection.cut()
  await released(big.id)
})

test('archives that are cut count for files beyond half, and for no others', async () => {
  const { upload, uploadToken } = await storeUpload(server, 'first', { oneShot: true, fileName: '1' })
  const { client } = server
  const big = await client.addFile(upload.id, new Blob([bytes]), { fileName: '2', uploadToken })
  await client.addFile(upload.id, new Blob(['last']), { fileName: '3', uploadToken })
  for (let round = 0; round < 3; round++) await breakOff(archivePath(upload.id, 'all.zip'), big.id, 1_000_000)
  const { files } = await client.upload(upload.id)
  expect(files.map(({ status }) => status)).toEqual(['removed', 'uploaded', 'uploaded'])
})

test('the claim of a process without a heartbeat expires, and a second download cannot duplicate the file', async () => {
  const { path } = await storeOneShot()
  const other = await startTestServer({ directory: server.directory })
  try {
    const stopped = await stalledDownload(server.url, path, 1)
    expect(errorIn(await sendRequest(other.url, path)).status).toBe(409)
    other.clock.advance(89_000)
    expect(errorIn(await sendRequest(other.url, path)).status).toBe(409)
    other.clock.advance(31_000)
    const { status, body } = await sendRequest(other.url, path)
    expect([status, body.equals(bytes)]).toEqual([200, true])
    // The stopped download continues, but never gets the last byte.
    expect((await stopped.rest()).length).toBeLessThan(size - 1)
  } finally {
    await other.close()
  }
})

test('a slow download renews its claim', async () => {
  const { path } = await storeOneShot()
  const connection = await stalledDownload(server.url, path, 1)
  for (let minute = 0; minute < 10; minute++) {
    server.clock.advance(60_000)
    expect(errorIn(await sendRequest(server.url, path)).status).toBe(409)
  }
  const left = await connection.take(size - 1)
  expect(left.equals(bytes.subarray(1))).toBe(true)
  connection.cut()
  await until('the file is used up', async () => (await sendRequest(server.url, path)).status === 404)
})
