import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { post, type PostOptions } from './post.ts'
import { addressRule } from './public-address.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen(server: Server): Promise<string> {
  open.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`
}

const served = (respond: RequestListener) => listen(createHttpServer(respond))

const send = (url: string, options: Partial<PostOptions> = {}) =>
  post(new URL(url), {
    headers: {},
    body: '{}',
    mayConnect: () => true,
    timeoutMs: 5_000,
    ...options,
  })

test('a target gets the body, and its status and pause are returned', async () => {
  const bodies: string[] = []
  const url = await served((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.on('end', () => response.writeHead(503, { 'retry-after': '7' }).end())
  })
  expect(await send(url, { body: 'hello' })).toEqual({ status: 503, retryAfter: '7', isTimeout: false })
  expect(bodies).toEqual(['hello'])
})

test('the connection goes to the address that was checked, even when the name leads elsewhere later', async () => {
  let resolved = 0
  const hosts: (string | undefined)[] = []
  const url = await served((request, response) => {
    hosts.push(request.headers.host)
    response.end()
  })
  const { port } = new URL(url)
  const resolve = () => {
    resolved += 1
    return Promise.resolve([resolved === 1 ? '127.0.0.1' : '169.254.169.254'])
  }
  expect((await send(`http://hooks.example:${port}/`, { resolve })).status).toBe(200)
  expect([resolved, hosts]).toEqual([1, [`hooks.example:${port}`]])
})

/** The same for both, so that it does not show which names internal name servers know. */
const unreachable = 'the target has no address that this server may connect to'

test.each([
  ['http://127.0.0.1:9/', []],
  ['http://[::ffff:127.0.0.1]:9/', []],
  ['http://2130706433:9/', []],
  ['http://hooks.example:9/', ['10.0.0.1', 'fd00:ec2::254']],
  ['http://hooks.example:9/', []],
])('%s is refused where the network is private (%j)', async (url, addresses) => {
  const options = { mayConnect: addressRule([]), resolve: () => Promise.resolve(addresses) }
  await expect(send(url, options)).rejects.toThrow(unreachable)
})

test('of several addresses, only one that is allowed is used', async () => {
  const url = await served((_request, response) => response.end())
  const resolve = () => Promise.resolve(['10.0.0.1', '127.0.0.1'])
  const mayConnect = (address: string) => address === '127.0.0.1'
  expect((await send(`http://hooks.example:${new URL(url).port}/`, { resolve, mayConnect })).status).toBe(200)
})

test('a name that is unknown, and a connection that is refused, have their messages', async () => {
  const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'))
  await expect(send('http://hooks.example/', { resolve })).rejects.toThrow(unreachable)
  await expect(send('http://127.0.0.1:1/')).rejects.toThrow('the connection to the target failed')
})

test('a redirect is returned, and not followed', async () => {
  const requests: (string | undefined)[] = []
  const url = await served((request, response) => {
    requests.push(request.url)
    response.writeHead(302, { location: '/other' }).end()
  })
  expect((await send(url)).status).toBe(302)
  expect(requests).toEqual(['/hook'])
})

test('of an endless response, 64 kB are read', async () => {
  let sent = 0
  const { promise: closed, resolve } = Promise.withResolvers<undefined>()
  const url = await served((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', write)
    response.on('close', () => {
      resolve(undefined)
    })
    write()
  })
  expect((await send(url)).status).toBe(200)
  await closed
  // The rest was in the buffers of the connection.
  expect(sent).toBeLessThan(64 * 1_048_576)
})

test.each([
  ['no response', () => undefined],
  ['a head without an end', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n')],
])('%s ends at the time limit', async (_what, respond) => {
  const url = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      respond(socket)
    }),
  )
  await expect(send(url, { timeoutMs: 50 })).rejects.toMatchObject({
    message: 'the target did not respond in time',
    isTimeout: true,
  })
})

test('the status of a response counts whose body does not end in time, and the connection is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<undefined>()
  const url = await served((_request, response) => {
    response.on('close', () => {
      resolve(undefined)
    })
    response.writeHead(202, { 'content-length': 9, 'retry-after': '7' }).write('abc')
  })
  expect(await send(url, { timeoutMs: 200 })).toEqual({ status: 202, retryAfter: '7', isTimeout: true })
  await closed
})

test('the status of a response counts whose body breaks off', async () => {
  const url = await served((_request, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('abc', () => response.destroy())
  })
  expect(await send(url)).toMatchObject({ status: 200, isTimeout: false })
})

test.each([
  ['a switch of protocols', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a switch of protocols without a protocol', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\n\r\n'],
])('%s is a refusal, and closes the connection', async (_what, head) => {
  const { promise: closed, resolve } = Promise.withResolvers<undefined>()
  const url = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        resolve(undefined)
      })
      socket.resume().write(head)
    }),
  )
  expect(await send(url)).toEqual({ status: 101, retryAfter: undefined, isTimeout: false })
  await closed
})

test('an encrypted connection that is not answered ends at the time limit', async () => {
  const url = await listen(createServer((socket) => socket.on('error', () => undefined)))
  const refused = send(url.replace('http:', 'https:'), { timeoutMs: 50 })
  await expect(refused).rejects.toMatchObject({ isTimeout: true })
})

test('interim responses without an end end at the time limit', async () => {
  const url = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 X\r\n\r\n')
    }),
  )
  await expect(send(url, { timeoutMs: 50 })).rejects.toMatchObject({ isTimeout: true })
})

test('a connection that ends without a response is a failed connection', async () => {
  const url = await listen(
    createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end(),
    ),
  )
  await expect(send(url)).rejects.toThrow('the connection to the target failed')
})

test('a name that is not resolved in time ends at the time limit', async () => {
  const resolve = () => new Promise<never>(() => undefined)
  await expect(send('http://hooks.example/', { resolve, timeoutMs: 50 })).rejects.toMatchObject({
    isTimeout: true,
  })
})

test('a response that is not HTTP is a failed connection', async () => {
  const url = await listen(createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0\r\n')))
  await expect(send(url)).rejects.toThrow('the connection to the target failed')
})

test('a head that is too long is a failed connection', async () => {
  const url = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)
    }),
  )
  await expect(send(url)).rejects.toThrow('the connection to the target failed')
})
