import { join } from 'node:path'
import type { Upload } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { begin as beginFile, pairs, patch, tus, type UploadTarget } from '../resumable/tus.ts'
import { sendRequest, jsonIn, jsonRequest, errorIn } from '../support/clients/send-request.ts'
import { rawConnection } from '../support/clients/raw-connection.ts'
import { smallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const unlimitedBudgets = {
  uploads: Infinity,
  files: Infinity,
  bytes: Infinity,
  cliCodes: Infinity,
  passwordUploads: Infinity,
  qrCodes: Infinity,
}
const full = { status: 507, code: 'no_space' }

describeUnless(mountSkipReason, 'space that is announced', () => {
  let disk: SmallDisk
  let server: TestServer

  beforeEach(async () => {
    disk = await smallDisk(12 * mebibyte)
    const metadataBackend = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
    server = await startTestServer({
      config: {
        minFreeSpace: 2 * mebibyte,
        metadataBackend,
        dataBackend: { kind: 'file', directory: join(disk.path, 'files'), fsync: false },
        trustedProxies: ['127.0.0.0/8'],
        budgets: { ...unlimitedBudgets, exempt: ['198.51.100.0/24'] },
      },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  /** A new upload of a client of the proxy. */
  const openFrom = async (from: string): Promise<UploadTarget> => {
    const forwarded = { 'x-forwarded-for': from }
    const { id, uploadToken = '' } = jsonIn(
      await sendRequest(server.url, '/upload', jsonRequest({}, forwarded)),
    ) as Upload
    return { id, headers: { ...forwarded, 'x-uploadtoken': uploadToken } }
  }
  const begin = async (size: number, from = '192.0.2.1') => {
    const headers = { 'upload-metadata': pairs({ filename: 'x' }), 'upload-length': size }
    return tus(server, await openFrom(from), 'POST', { headers })
  }
  const times = <Result>(count: number, work: () => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, work))
  const countOf = (responses: readonly { readonly status: number }[], status: number) =>
    responses.filter((response) => response.status === status).length

  test('of many parallel resumable files, those beyond the free space are rejected when they are announced', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => begin(mebibyte)))
    expect(countOf(responses, 507)).toBe(200 - countOf(responses, 201))
    // The directories of the store take a little of the ten mebibytes.
    expect([9, 10]).toContain(countOf(responses, 201))
    server.clock.advance(2_000)
    expect(errorIn(await begin(mebibyte))).toEqual(full)
  })

  test('a size that is stated with a part is an announcement, and counts only if it fits', async () => {
    const target = await openFrom('192.0.2.1')
    const file = await beginFile(server, target, { size: null })
    const state = (size: number) => patch(server, file, 0, Buffer.from('x'), { 'upload-length': size })
    expect(errorIn(await state(20 * mebibyte))).toEqual(full)
    expect((await state(8 * mebibyte)).status).toBe(204)
    server.clock.advance(2_000)
    expect(errorIn(await begin(4 * mebibyte))).toEqual(full)
  })

  test('a client that announces and sends nothing blocks others only briefly', async () => {
    await Promise.all(Array.from({ length: 9 }, () => begin(mebibyte)))
    expect((await begin(2 * mebibyte)).status).toBe(507)
    server.clock.advance(61_000)
    expect((await begin(2 * mebibyte)).status).toBe(201)
  })

  test('a file of which something arrived keeps its reservation for ten minutes', async () => {
    const target = await openFrom('192.0.2.1')
    const file = await beginFile(server, target, { size: 9 * mebibyte })
    expect((await patch(server, file, 0, new Uint8Array(mebibyte))).status).toBe(204)
    server.clock.advance(9 * 60_000)
    expect(errorIn(await begin(2 * mebibyte))).toEqual(full)
    server.clock.advance(2 * 60_000)
    expect((await begin(2 * mebibyte)).status).toBe(201)
  })

  test('a network withholds at most a quarter of the space from others, and a /64 is one network', async () => {
    const attack = async () => {
      await times(20, () => begin(mebibyte))
      await times(20, () => begin(mebibyte, '2001:db8::1'))
    }
    await attack()
    expect(errorIn(await begin(mebibyte))).toEqual(full)
    // After two seconds, the announcements are read from the database.
    server.clock.advance(2_000)
    expect(errorIn(await begin(mebibyte, '2001:db8::2'))).toEqual(full)
    const put = { method: 'PUT', headers: { 'x-forwarded-for': '192.0.2.9' }, body: 'x'.repeat(4 * mebibyte) }
    expect((await sendRequest(server.url, '/f', put)).status).toBe(200)
  })

  test('the quarter includes what a network announces to other instances', async () => {
    const directory = await emptyDirectory()
    const connectionString = join(directory, 'svc.db')
    const metadataBackend = { driver: 'sqlite3', connectionString, fsync: false } as const
    const config = { ...server.config, metadataBackend }
    await server.close()
    server = await startTestServer({ config, directory })
    const { clock } = server
    const other = await startTestServer({ config, clock, directory })
    const announceAt = async ({ url }: TestServer, size: number) => {
      const connection = await rawConnection(url)
      const lines = [
        'PUT /f HTTP/1.1',
        'host: x',
        'x-forwarded-for: 192.0.2.1',
        `content-length: ${String(size)}`,
      ]
      await connection.send(`${lines.join('\r\n')}\r\n\r\nx`)
      return connection
    }
    const connection = await announceAt(server, 5 * mebibyte)
    await times(4, () => begin(mebibyte))
    const put = (from: string) =>
      sendRequest(other.url, '/f', {
        method: 'PUT',
        headers: { 'x-forwarded-for': from },
        body: 'x'.repeat(2 * mebibyte),
      })
    await until('the other instance counts the announcements', async () => {
      clock.advance(1_000)
      return (await put('192.0.2.1')).status === 507
    })
    expect((await put('192.0.2.9')).status).toBe(200)
    connection.cut()
    await Promise.all([other.close(), server.close()])
    server = await startTestServer()
  })

  test('a slow body withholds at most a quarter', async () => {
    const head = `PUT /f HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\ncontent-length: ${String(9 * mebibyte)}\r\n\r\nx`
    const connection = await rawConnection(server.url)
    await connection.send(head)
    const declare = (from: string) =>
      sendRequest(
        server.url,
        '/upload',
        jsonRequest({ files: [{ fileName: 'a', fileSize: 2 * mebibyte }] }, { 'x-forwarded-for': from }),
      )
    await until('the body is announced', async () => (await declare('192.0.2.1')).status === 507)
    expect((await declare('192.0.2.9')).status).toBe(200)
    connection.cut()
  })

  test('an exempt network withholds all that it announces', async () => {
    await times(9, () => begin(mebibyte, '198.51.100.1'))
    expect(errorIn(await begin(2 * mebibyte))).toEqual(full)
    server.clock.advance(2_000)
    expect(errorIn(await begin(2 * mebibyte))).toEqual(full)
  })

  test('many parallel networks are rejected as they announce, at any later second', async () => {
    const size = mebibyte / 2
    const beginAll = (third: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, fourth) => begin(size, `192.0.${String(third)}.${String(fourth)}`)),
      )
    await times(8, () => begin(size, '192.0.2.1'))
    let begun = 0
    for (let second = 0; second < 4; second += 1) {
      server.clock.advance(1_000)
      begun += countOf(await beginAll(second), 201)
    }
    expect(begun).toBeGreaterThan(10)
    expect(begun * size).toBeLessThanOrEqual(8 * mebibyte)
  })

  test('of many parallel files, each in one request, some are rejected, and the space is free again when the others end', async () => {
    const announce = async () => {
      const connection = await rawConnection(server.url)
      await connection.send(`PUT /f HTTP/1.1\r\nhost: x\r\ncontent-length: ${String(mebibyte)}\r\n\r\nx`)
      return connection
    }
    const connections = await Promise.all(Array.from({ length: 30 }, announce))
    const refused = await Promise.race(connections.map((connection) => connection.head()))
    expect(refused.status).toBe(507)
    for (const connection of connections) connection.cut()
    await server.close()
    server = await startTestServer({ config: server.config })
    expect(
      (await sendRequest(server.url, '/f', { method: 'PUT', body: 'x'.repeat(9 * mebibyte) })).status,
    ).toBe(200)
  })

  test('declared files must fit, unless they are streamed', async () => {
    const declare = (stream: boolean) =>
      sendRequest(
        server.url,
        '/upload',
        jsonRequest({ stream, files: [{ fileName: 'a', fileSize: 11 * mebibyte }] }),
      )
    expect(errorIn(await declare(false))).toEqual(full)
    expect((await declare(true)).status).toBe(200)
  })
})
