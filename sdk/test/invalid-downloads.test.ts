import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createClient, fileBytes } from '../src/index.ts'
import { createServers } from './served.ts'

const { served, close } = createServers()
afterEach(close)

const upload = { id: 'u1', oneShot: false }
const file = { id: 'f1', fileName: 'a.txt', fileSize: 5, md5: '' }

/** Downloads five bytes from a server that sends others. */
async function collectFrom(sendBody: (response: ServerResponse) => void, { stream = false } = {}) {
  let requests = 0
  const baseURL = await served((_request, response) => {
    requests += 1
    sendBody(response)
  })
  const received: Uint8Array[] = []
  const options = { wait: () => Promise.resolve(), retries: 2 }
  const reading = async () => {
    for await (const chunk of fileBytes(createClient({ baseURL }), { ...upload, stream }, file, options))
      received.push(chunk)
  }
  const [outcome] = await Promise.allSettled([reading()])
  return { outcome, requests, text: Buffer.concat(received).toString() }
}
const failure = (code: string) => ({ status: 'rejected', reason: { code } })

test('a response without a length that ends too early is an interruption', async () => {
  const result = await collectFrom((response) => {
    response.write('hel')
    response.end()
  })
  expect(result).toMatchObject({ outcome: failure('network'), text: 'hel' })
  expect(result.requests).toBeGreaterThan(1)
})

test('a response without a length that is longer than the file is rejected', async () => {
  const result = await collectFrom((response) => {
    response.write('hello!')
    response.end()
  })
  expect(result).toMatchObject({ outcome: failure('invalid_response'), requests: 1 })
})

test('a stream that breaks off is not requested again, because its bytes are not stored', async () => {
  const result = await collectFrom(
    (response) => {
      response.write('hel', () => response.destroy())
    },
    { stream: true },
  )
  expect(result).toMatchObject({ outcome: failure('network'), requests: 1, text: 'hel' })
})

test('a download that another one prevents is reported at once', async () => {
  const result = await collectFrom((response) => {
    response.writeHead(409, { 'content-type': 'application/json' })
    response.end('{"code":"download_in_progress","message":"another download is running"}')
  })
  expect(result).toMatchObject({ outcome: failure('download_in_progress'), requests: 1 })
})
