import type { Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { becomes, declareStream, openDownload, openSender, partStart, type Declared } from './streams.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const chunk = randomBytes(100_000)

async function offsetOf({ upload }: Declared, token: string | undefined): Promise<number | undefined> {
  const response = await fetch(`${server.url}/upload/${upload.id}`, {
    headers: token === undefined ? {} : { 'x-uploadtoken': token },
  })
  return ((await response.json()) as Upload).files[0]?.offset
}

test('the sender of a stream sees what its recipient has; a recipient does not', async () => {
  const declared = await declareStream(server)
  const { token } = declared
  const sender = await openSender(server.url, declared, { size: 8_000_000 })
  await sender.send(partStart)
  await becomes(server, declared, 'uploading')
  expect(await offsetOf(declared, token)).toBeUndefined()

  const download = await openDownload(server.url, declared.path)
  await until('the recipient has connected', async () => (await offsetOf(declared, token)) === 0)
  await sender.send(chunk)
  await download.head()
  await download.take(chunk.length)
  await until('the bytes are counted', async () => (await offsetOf(declared, token)) === chunk.length)
  expect(await offsetOf(declared, undefined)).toBeUndefined()
  sender.cut()
  download.cut()
})
