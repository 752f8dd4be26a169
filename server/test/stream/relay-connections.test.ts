import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { streamRelay } from '../../src/data/streams/relay.ts'
import { acknowledgement, relayHeaders } from '../../src/domain/relay-protocol.ts'
import { detachBuffer } from '../../src/io/detach-buffer.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { until } from '../support/until.ts'

const signatures = {
  sign: () => ({ time: '', nonce: '', signature: '' }),
  isResponse: () => true,
}

test('each stream has a separate connection, which is closed after it', async () => {
  const bytes = randomBytes(5_000_000)
  const connections: Socket[] = []
  const acknowledged: string[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void text(request).then((body) => acknowledged.push(body))
    response.writeHead(200, { [relayHeaders.size]: String(bytes.length), 'content-length': bytes.length })
    response.end(bytes)
  })
  server.on('connection', (socket) => connections.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const relay = streamRelay(signatures, detachBuffer)
    for (const count of [1, 2, 3]) {
      const receiving = await relay.get('key', { id: 'other', url: `http://127.0.0.1:${String(port)}` })
      const { chunks } = await receiving.content
      expect((await buffer(chunks)).equals(bytes)).toBe(true)
      receiving.complete()
      await until('the connection is closed', () =>
        Promise.resolve(connections.every(({ closed }) => closed)),
      )
      expect(connections.length).toBe(count)
    }
    expect(acknowledged).toEqual([acknowledgement, acknowledgement, acknowledgement])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
