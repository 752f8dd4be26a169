import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { onBrokenRequest } from './request-body.ts'

/** A request whose whole body was received, and whose connection is reset before the body is read. */
async function resetRequest(): Promise<{
  readonly request: IncomingMessage
  readonly reset: () => Promise<void>
}> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  // Node emits the request before it parses the body.
  await setImmediate()
  expect(request.complete).toBe(true)
  request.on('error', () => undefined)
  const reset = async () => {
    await new Promise((resolve) => {
      request.socket.once('close', resolve)
      socket.resetAndDestroy()
    })
  }
  return { request, reset }
}

const reasonOf = (request: IncomingMessage) =>
  new Promise<unknown>((resolve) => {
    onBrokenRequest(request, resolve)
  })

test('an unread body is lost with its connection: reset before', async () => {
  const { request, reset } = await resetRequest()
  await reset()
  expect(await reasonOf(request)).toMatchObject({ code: 'upload_aborted' })
})

test('an unread body is lost with its connection: reset afterwards', async () => {
  const { request, reset } = await resetRequest()
  const reason = reasonOf(request)
  await reset()
  expect(await reason).toMatchObject({ code: 'upload_aborted' })
})

test('a body that was read is not lost', async () => {
  const { request, reset } = await resetRequest()
  request.resume()
  await once(request, 'end')
  let broken = 0
  onBrokenRequest(request, () => (broken += 1))
  await reset()
  onBrokenRequest(request, () => (broken += 1))
  expect(broken).toBe(0)
})
