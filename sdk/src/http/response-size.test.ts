import { afterEach, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from '../api/client.ts'

const { served, close } = createServers()
afterEach(close)

const mebibyte = 1024 * 1024

/** A server whose response is an object with spaces before it. */
const padded = (status: number, bytes: number) =>
  served((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${' '.repeat(bytes - 2)}{}`)
  })

test('a response of 16 MiB is read', async () => {
  const client = createClient({ baseURL: await padded(200, 16 * mebibyte) })
  expect(await client.configuration()).toEqual({})
})

test.each([200, 500])('a response with the status %i and more than 16 MiB is refused', async (status) => {
  const client = createClient({ baseURL: await padded(status, 16 * mebibyte + 1) })
  await expect(client.configuration()).rejects.toMatchObject({
    status,
    code: 'invalid_response',
    message: 'the response is larger than 16 MiB',
  })
})
