import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendRequest, basic, jsonIn } from '../support/clients/send-request.ts'
import { curl, type Curl } from '../support/clients/curl.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { checkReaders, openDownload } from './streams.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

/** More than the network holds, and more than curl sends without asking. */
const big = randomBytes(8_000_000)
const maxFileSize = 10_000_000

let server: TestServer
let directory: string
let bigFile: string
beforeAll(async () => {
  server = await startTestServer({ config: { maxFileSize } })
  directory = await temporaryDirectory()
  bigFile = join(directory, 'big.bin')
  await writeFile(bigFile, big)
})
afterAll(async () => {
  await server.close()
})

type Send = (options?: { readonly query?: string; readonly file?: string; readonly to?: TestServer }) => Curl

const put: Send = ({ query = 'stream=true', file = bigFile, to = server } = {}) =>
  curl(['-T', file, `${to.url}/big.bin?${query}`])
const post: Send = ({ query = 'stream=true', file = bigFile, to = server } = {}) =>
  curl(['-F', `file=@${file};filename=big.bin`, `${to.url}/?${query}`])

/** The path of a URL, without the server. */
const pathOf = (link: string) => link.replace(/^http:..[^/]+/, '')
const uploadOf = (link: string) => pathOf(link).split('/')[2] ?? ''

/** A sender that has received its link, and waits. */
async function waiting(send: Send, options: Parameters<Send>[0] = {}) {
  const sender = send(options)
  const link = await sender.line()
  expect(link).toMatch(/^http:..127\.0\.0\.1:\d+.stream.\w{16}.\w{16}.big\.bin$/)
  return { sender, link }
}

/** curl: the transfer ended before its end. */
const cut = 18

async function expectBroken({ sender, link }: Awaited<ReturnType<typeof waiting>>, why: string) {
  const { status, output } = await sender.ended
  expect([status, output]).toEqual([cut, `${link}\n${why}\n`])
  expect((await sendRequest(server.url, pathOf(link))).status).toBe(404)
  expect((await sendRequest(server.url, `/upload/${uploadOf(link)}`)).status).toBe(404)
}

async function startOther(options: TestServerOptions): Promise<TestServer> {
  const other = await startTestServer(options)
  onTestFinished(() => other.close())
  return other
}

describe.each([
  ['curl -T', put],
  ['curl -F', post],
])('a quick stream by %s', (_route, send) => {
  test('prints its link first, sends every byte to the recipient, and succeeds', async () => {
    const { sender, link } = await waiting(send)
    const target = join(directory, 'got.bin')
    const got = await curl(['-f', '-o', target, link]).ended
    expect(got).toEqual({ status: 0, output: '', stderr: '' })
    expect((await readFile(target)).equals(big)).toBe(true)
    expect(await sender.ended).toEqual({ status: 0, output: `${link}\n`, stderr: '' })
    expect((await sendRequest(server.url, pathOf(link))).status).toBe(404)
    expect((await server.client.upload(uploadOf(link))).files).toMatchObject([
      { fileName: 'big.bin', fileSize: big.length, status: 'removed' },
    ])
  })

  test.each([0, 1, 100_000])('passes %i bytes', async (size) => {
    const file = join(directory, `${String(size)}.bin`)
    await writeFile(file, big.subarray(0, size))
    const { sender, link } = await waiting(send, { file })
    const got = await sendRequest(server.url, pathOf(link))
    expect([got.status, got.body.equals(big.subarray(0, size))]).toEqual([200, true])
    expect((await sender.ended).status).toBe(0)
  })

  test('has the upload and its token in the response head, with which it can be cancelled', async () => {
    const heads = join(directory, 'heads')
    await writeFile(heads, '')
    const args = send === put ? ['-T', bigFile] : ['-F', `file=@${bigFile};filename=big.bin`]
    const path = send === put ? 'big.bin' : ''
    const sender = curl(['-D', heads, ...args, `${server.url}/${path}?stream=true`])
    const link = await sender.line()
    const head = await readFile(heads, 'latin1')
    expect(head).toMatch(/^HTTP.1\.1 200 OK\r$/m)
    expect(head).toMatch(/^content-type: text.plain; charset=utf-8\r$/m)
    expect(head).toMatch(new RegExp(`^x-uploadid: ${uploadOf(link)}\r$`, 'm'))
    const token = /^x-uploadtoken: (\w{32})\r$/m.exec(head)?.[1] ?? ''
    await sendRequest(server.url, pathOf(link), { method: 'DELETE', headers: { 'x-uploadtoken': token } })
    await expectBroken({ sender, link }, 'file not found: it may have been downloaded or removed')
  })

  test('without a recipient ends with an error, and no upload remains', async () => {
    const stream = await waiting(send)
    server.clock.advance(server.config.streamTimeout * 1000)
    await expectBroken(stream, 'the file was not downloaded in time')
  })

  test('whose recipient disconnects ends with an error, and no upload remains', async () => {
    const stream = await waiting(send)
    const download = await openDownload(server.url, pathOf(stream.link))
    await download.take(1_000_000)
    download.cut()
    await expectBroken(stream, 'the other side of the stream disconnected: try again')
  })

  // With its head and boundaries less than 64 KiB, which the server always reads ahead, and so it also reads the end of the connection.
  test.each([50_000, 65_000])(
    'whose sender of %i bytes disconnects while it waits is removed',
    async (size) => {
      const file = join(directory, `${String(size)}.bin`)
      await writeFile(file, big.subarray(0, size))
      const { sender, link } = await waiting(send, { file })
      await checkReaders(server)
      sender.kill()
      let seconds = 0
      await until('the upload is gone', async () => {
        seconds += 1
        await checkReaders(server)
        return (await sendRequest(server.url, `/upload/${uploadOf(link)}`)).status === 404
      })
      // Not by the timeout, which would come in the end.
      expect(seconds).toBeLessThan(60)
      expect((await sendRequest(server.url, pathOf(link))).status).toBe(404)
    },
  )

  test('whose sender disconnects in the middle cuts the download', async () => {
    const { sender, link } = await waiting(send)
    const download = await openDownload(server.url, pathOf(link))
    await download.take(100_000)
    sender.kill()
    expect((await download.rest()).length).toBeLessThan(big.length)
    await until(
      'the upload is gone',
      async () => (await sendRequest(server.url, `/upload/${uploadOf(link)}`)).status === 404,
    )
  })

  test('has the other options', async () => {
    const { sender, link } = await waiting(send, { query: 'stream=true&oneShot=true&password=pass&ttl=60' })
    expect((await sendRequest(server.url, pathOf(link))).status).toBe(401)
    const authorization = basic('svc', 'pass')
    const upload = await sendRequest(server.url, `/upload/${uploadOf(link)}`, { headers: { authorization } })
    expect(jsonIn(upload)).toMatchObject({ stream: true, oneShot: true, ttl: 60 })
    const got = await sendRequest(server.url, pathOf(link), { headers: { authorization } })
    expect(got.body.equals(big)).toBe(true)
    expect((await sender.ended).status).toBe(0)
  })

  test('is rejected before its link is sent where streams are disabled', async () => {
    const other = await startOther({ features: { feature_stream: 'disabled' } })
    const { status, output } = await send({ to: other }).ended
    expect([status, output]).toEqual([0, 'the option stream is disabled on this server\n'])
  })

  test.each([
    ['default', ''],
    ['forced', ''],
  ] as const)('is the default where streams are %s', async (feature_stream, query) => {
    const other = await startOther({ features: { feature_stream } })
    const { sender, link } = await waiting(send, { to: other, query })
    expect((await sendRequest(other.url, pathOf(link))).body.equals(big)).toBe(true)
    expect((await sender.ended).status).toBe(0)
  })

  test('can be declined where streams are the default', async () => {
    const other = await startOther({ features: { feature_stream: 'default' } })
    const { status, output } = await send({ to: other, query: 'stream=false' }).ended
    expect(status).toBe(0)
    expect((await sendRequest(other.url, pathOf(output.trim()))).body.equals(big)).toBe(true)
  })

  test('that is too large is rejected at once', async () => {
    const file = join(directory, 'too-big.bin')
    await writeFile(file, Buffer.alloc(20_000_000))
    const { output } = await send({ file }).ended
    expect(output).toBe('file too big (limit is 10 MB)\n')
  })

  test('ends with an error when the server stops', async () => {
    const other = await startTestServer()
    const { sender, link } = await waiting(send, { to: other })
    await other.close()
    const { status, output } = await sender.ended
    expect(status).not.toBe(0)
    expect(output.startsWith(`${link}\n`)).toBe(true)
  })
})

test('a download of a PUT has its length', async () => {
  const { sender, link } = await waiting(put)
  const head = await sendRequest(server.url, pathOf(link), { method: 'HEAD' })
  expect(head.headers['content-length']).toBe(String(big.length))
  await sendRequest(server.url, pathOf(link))
  expect((await sender.ended).status).toBe(0)
})

describe('the output of a program', () => {
  test('passes as it arrives, without a length', async () => {
    const first = 'first words. '.repeat(10)
    // With a dot instead of a dash curl reads the response while it has nothing to send.
    const sender = curl(['-T', '.', `${server.url}/live.txt?stream=true`])
    sender.input.write(first)
    const link = await sender.line()
    const download = curl([link])
    await until('the first words have come', () => {
      // The server waits briefly for more bytes to detect the type of the file.
      server.clock.advance(500)
      return download.output() === first
    })
    sender.input.end(' and last')
    expect(await download.ended).toEqual({ status: 0, output: `${first} and last`, stderr: '' })
    expect((await sender.ended).status).toBe(0)
  })

  test('is cut when it is too large', async () => {
    const sender = curl(['-T', '.', `${server.url}/big.bin?stream=true`])
    const link = await sender.line()
    const got = sendRequest(server.url, pathOf(link)).catch((error: unknown) => error)
    sender.input.end(Buffer.alloc(maxFileSize + 1))
    expect(await got).toBeInstanceOf(Error)
    await expectBroken({ sender, link }, 'file too big (limit is 10 MB)')
  })
})

test('a broken stream is reset over HTTP/1.0, where nothing else shows the failure', async () => {
  const sender = curl(['--http1.0', '-T', bigFile, `${server.url}/big.bin?stream=true`])
  const link = await sender.line()
  server.clock.advance(server.config.streamTimeout * 1000)
  const { status, output } = await sender.ended
  expect(status).not.toBe(0)
  expect(output).toBe(`${link}\n`)
})
