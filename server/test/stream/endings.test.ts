import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import type { RawConnection } from '../support/clients/raw-connection.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import {
  becomes,
  checkReaders,
  declareStream,
  expectToWork,
  isTaken,
  openDownload,
  openSender,
  partEnd,
  partStart,
  sendWhole,
  statusOf,
  asResponse,
  type Declared,
} from './streams.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const chunk = randomBytes(100_000)
const big = 8_000_000

const responseOf = async (connection: RawConnection) => errorIn(asResponse(await connection.response()))
const broken = { status: 502, code: 'stream_broken' }
const disconnections = { status: 404, code: 'file_not_found' }

/** Sender and recipient are connected, and the first bytes have passed. */
async function passing(declared: Declared, size: number) {
  const sender = await openSender(server.url, declared, { size })
  await sender.send(partStart)
  await becomes(server, declared, 'uploading')
  const download = await openDownload(server.url, declared.path)
  await sender.send(chunk)
  const { status } = await download.head()
  expect(status).toBe(200)
  await download.take(1_000)
  return { sender, download }
}

/** Closes a connection as a client does that disconnects. */
const ways = {
  'is reset': (connection: RawConnection) => {
    connection.cut()
  },
  'is closed': (connection: RawConnection) => {
    connection.socket.destroy()
  },
}

describe.each(Object.entries(ways))('a sender whose connection %s', (_way, end) => {
  test('before its body is requested leaves the file missing', async () => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: big, expect: true })
    await becomes(server, declared, 'uploading')
    end(sender)
    await becomes(server, declared, 'missing')
    await expectToWork(server, declared)
  })

  test('after a whole small body leaves the file missing', async () => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: 7 })
    await sender.send(`${partStart}content${partEnd}`)
    await becomes(server, declared, 'uploading')
    end(sender)
    await becomes(server, declared, 'missing')
    await expectToWork(server, declared)
  })

  // The end of the connection comes behind the bytes, which fit into the buffers of the network.
  test.each([0, 50_000])(
    'is noticed within seconds while %i bytes of its body wait unread',
    async (waiting) => {
      const declared = await declareStream(server)
      const sender = await openSender(server.url, declared, { size: big })
      await sender.send(randomBytes(waiting))
      await becomes(server, declared, 'uploading')
      await until('the network has them', () => sender.socket.writableLength === 0)
      // The server must have seen the connection, and a look is skipped while the one before it has not ended.
      for (let checks = 0; checks < 5; checks += 1) await checkReaders(server)
      end(sender)
      let seconds = 0
      await until('the file is missing', async () => {
        seconds += 1
        await checkReaders(server)
        return (await statusOf(server, declared)) === 'missing'
      })
      // Not by the timeout, which would come in the end.
      expect(seconds).toBeLessThan(60)
      await expectToWork(server, declared)
    },
  )

  test('in the middle of the bytes cuts the download, and leaves the file missing', async () => {
    const declared = await declareStream(server)
    const { sender, download } = await passing(declared, big)
    end(sender)
    const rest = await download.rest()
    expect(rest.includes('\r\n0\r\n\r\n')).toBe(false)
    await becomes(server, declared, 'missing')
    await expectToWork(server, declared)
  })

  test('after the last byte, before the end of the form, cuts a download of a declared size, too', async () => {
    const declared = await declareStream(server, { fileSize: chunk.length })
    const { sender, download } = await passing(declared, chunk.length)
    end(sender)
    expect((await download.rest()).length).toBeLessThan(chunk.length - 1_000)
    await becomes(server, declared, 'missing')
  })
})

describe.each(Object.entries(ways))('a recipient whose connection %s', (_way, end) => {
  test('before the first byte leaves the file missing, and the sender gets an error', async () => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: big, expect: true })
    await becomes(server, declared, 'uploading')
    const download = await openDownload(server.url, declared.path)
    await isTaken(sender)
    end(download)
    expect(await responseOf(sender)).toEqual(broken)
    await becomes(server, declared, 'missing')
    await expectToWork(server, declared)
  })

  test('in the middle of the bytes leaves the file missing, and the sender gets an error', async () => {
    const declared = await declareStream(server)
    const { sender, download } = await passing(declared, big)
    end(download)
    expect(await responseOf(sender)).toEqual(broken)
    await becomes(server, declared, 'missing')
    await expectToWork(server, declared)
  })

  test('with the last bytes in transit leaves the file missing', async () => {
    const size = 40_000_000
    const declared = await declareStream(server, { fileSize: size })
    const { sender, download } = await passing(declared, size)
    void sender.send(randomBytes(size - chunk.length)).then(() => sender.send(partEnd))
    await download.take(100_000)
    end(download)
    expect(await responseOf(sender)).toEqual(broken)
    expect(await statusOf(server, declared)).toBe('missing')
  })
})

describe('a stream without a recipient', () => {
  test.each([true, false])(
    'ends after the timeout, and can be sent again (100-continue: %s)',
    async (expects) => {
      const declared = await declareStream(server)
      const sender = await openSender(server.url, declared, { size: 7, expect: expects })
      await until('the sender waits', () => server.clock.isDueIn(300_000))
      server.clock.advance(299_999)
      expect(await statusOf(server, declared)).toBe('uploading')
      server.clock.advance(1)
      expect(await responseOf(sender)).toEqual({ status: 504, code: 'stream_timeout' })
      expect(await statusOf(server, declared)).toBe('missing')
      await expectToWork(server, declared)
    },
  )
})

describe('a cancelled stream', () => {
  const cancel = ({ path, token }: Declared) =>
    sendRequest(server.url, path, { method: 'DELETE', headers: { 'x-uploadtoken': token } })

  test('without a sender is removed', async () => {
    const declared = await declareStream(server)
    expect((await cancel(declared)).text).toBe('ok')
    expect(errorIn(await sendWhole(server.url, declared, 'content')).code).toBe('file_not_missing')
  })

  test('with a waiting sender ends for its sender', async () => {
    const declared = await declareStream(server)
    const sent = sendWhole(server.url, declared, 'content')
    await becomes(server, declared, 'uploading')
    expect((await cancel(declared)).text).toBe('ok')
    expect(errorIn(await sent)).toEqual(disconnections)
    expect(await statusOf(server, declared)).toBe('removed')
    expect(errorIn(await cancel(declared))).toEqual(disconnections)
  })

  test('with a recipient ends for both sides', async () => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: big, expect: true })
    await becomes(server, declared, 'uploading')
    const download = await openDownload(server.url, declared.path)
    await isTaken(sender)
    expect((await cancel(declared)).text).toBe('ok')
    expect([await responseOf(sender), await responseOf(download)]).toEqual([disconnections, disconnections])
  })

  test('in progress is cut', async () => {
    const declared = await declareStream(server)
    const { sender, download } = await passing(declared, big)
    expect((await cancel(declared)).text).toBe('ok')
    expect((await download.rest()).includes('\r\n0\r\n\r\n')).toBe(false)
    expect(await responseOf(sender)).toEqual(disconnections)
    const { files } = await server.client.upload(declared.upload.id)
    expect(files).toMatchObject([{ status: 'removed' }])
    expect(files[0]).not.toHaveProperty('usedUp')
  })

  test('ends with its upload', async () => {
    const declared = await declareStream(server)
    const sent = sendWhole(server.url, declared, 'content')
    await becomes(server, declared, 'uploading')
    await server.client.removeUpload(declared.upload.id, { uploadToken: declared.token })
    expect(errorIn(await sent)).toEqual(disconnections)
  })
})

describe('an upload that expires', () => {
  test('ends a waiting stream', async () => {
    const declared = await declareStream(server, { ttl: 60 })
    const sent = sendWhole(server.url, declared, 'content')
    await becomes(server, declared, 'uploading')
    server.clock.advance(60_000)
    await server.clean()
    let hasResponse = false
    void sent.then(() => (hasResponse = true))
    await until('the sender has a response', () => {
      server.clock.advance(1_000)
      return hasResponse
    })
    expect(errorIn(await sent)).toEqual(disconnections)
  })

  test('does not end a stream in progress', async () => {
    const declared = await declareStream(server, { ttl: 60 })
    const { sender, download } = await passing(declared, chunk.length)
    server.clock.advance(60_000)
    await server.clean()
    server.clock.advance(5_000)
    await sender.send(partEnd)
    const { status, body } = await sender.response()
    expect([status, JSON.parse(body.toString())]).toEqual([
      200,
      expect.objectContaining({ status: 'removed' }),
    ])
    expect((await download.take(chunk.length - 1_000)).length).toBe(chunk.length - 1_000)
    download.cut()
  })
})

test('a server that stops rejects waiting clients, and finishes streams in progress', async () => {
  const stopping = await startTestServer({ config: { shutdownTimeout: 30 } })
  const waits = await declareStream(stopping)
  const sent = sendWhole(stopping.url, waits, 'content')
  await becomes(stopping, waits, 'uploading')
  const declared = await declareStream(stopping)
  const sender = await openSender(stopping.url, declared, { size: chunk.length, expect: true })
  await becomes(stopping, declared, 'uploading')
  const download = await openDownload(stopping.url, declared.path)
  await isTaken(sender)
  await sender.send(partStart)
  await sender.send(chunk)
  const received = download.response()
  const closed = stopping.close()
  expect(errorIn(await sent)).toEqual({ status: 503, code: 'unavailable' })
  expect((await sent).headers['retry-after']).toBe('5')
  await sender.send(partEnd)
  expect((await sender.response()).status).toBe(200)
  const { status, body } = await received
  expect([status, body.equals(chunk)]).toEqual([200, true])
  sender.cut()
  download.cut()
  await closed
})
