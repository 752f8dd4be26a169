import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { malformedRequests } from './malformed-requests.ts'

test.each([
  ['is incomplete', 'GET / HTTP/1.1\r\nHost: svc.test\r\n'],
  ['is missing', ''],
])('a head that %s gets a timeout', async (_how, head) => {
  const server = createServer({ headersTimeout: 1, requestTimeout: 0, connectionsCheckingInterval: 1 })
  const malformed = malformedRequests(1_000, { responseOf: () => undefined })
  server.on('clientError', (error, socket) => {
    malformed.handle(error, socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(head)
  const [top = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(top).toContain('HTTP/1.1 408 Request Timeout\r\n')
  expect(JSON.parse(body)).toEqual({ code: 'request_timeout', message: 'the request did not arrive in time' })
  server.close()
})

test('a client that resets the connection of its CONNECT request does not end the process', async () => {
  const server = createServer()
  malformedRequests(1_000, { responseOf: () => undefined }).watch({ server })
  const socket = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      done(new Error('write ECONNRESET'))
    },
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  server.emit('connect', {}, socket, Buffer.alloc(0))
  // The test would fail with an unhandled error.
  await closed
  expect(socket.destroyed).toBe(true)
})
