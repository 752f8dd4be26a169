import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import type { ApiError } from '../core/api-error.ts'
import { createClient } from '../api/client.ts'

const { served, answering, close } = createServers()
afterEach(close)

const file = { id: 'f1', fileName: 'a.bin' }

interface Asked {
  readonly request: string
  readonly headers: IncomingHttpHeaders
}

async function listening(): Promise<{ baseURL: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const baseURL = await served((request, response) => {
    asked.push({
      request: `${request.method ?? ''} ${request.url ?? ''}`,
      headers: request.headers,
    })
    request.resume()
    request.once('end', () => response.end('{"id":"u1","files":[]}'))
  })
  return { baseURL, asked }
}

const header = (name: string) => (asked: Asked) => [asked.request, asked.headers[name]]

describe('the XSRF token', () => {
  test('goes with what changes something, as it is at that moment', async () => {
    const { baseURL, asked } = await listening()
    let token: string | undefined = 'first'
    const client = createClient({ baseURL, xsrfToken: () => token })
    await client.createUpload()
    token = 'second'
    await client.updateMe({ name: 'Ada' })
    await client.removeUpload('u1')
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    token = undefined
    await client.removeMe()
    expect(asked.map(header('x-xsrftoken'))).toEqual([
      ['POST /upload', 'first'],
      ['PATCH /me', 'second'],
      ['DELETE /upload/u1', 'second'],
      ['POST /file/u1', 'second'],
      ['DELETE /me', undefined],
    ])
  })

  test('stays at home with what only reads', async () => {
    const { baseURL, asked } = await listening()
    const client = createClient({ baseURL, xsrfToken: () => 'secret' })
    await client.me()
    await client.logout()
    await client.download({ id: 'u1' }, file, { method: 'HEAD' })
    expect(asked.map(header('x-xsrftoken'))).toEqual([
      ['GET /me', undefined],
      ['GET /auth/logout', undefined],
      ['HEAD /file/u1/f1/a.bin', undefined],
    ])
  })
})

describe('who is acted as', () => {
  test('is told as ASCII, as long as there is one', async () => {
    const { baseURL, asked } = await listening()
    let userID: string | undefined = 'oidc:zoë/1%:x'
    const client = createClient({ baseURL, impersonate: () => userID })
    await client.me()
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    userID = undefined
    await client.me()
    expect(asked.map(header('x-svc-impersonate'))).toEqual([
      ['GET /me', 'oidc%3Azo%C3%AB%2F1%25%3Ax'],
      ['POST /file/u1', 'oidc%3Azo%C3%AB%2F1%25%3Ax'],
      ['GET /me', undefined],
    ])
  })
})

describe('a user token', () => {
  test('goes with every request to the server', async () => {
    const { baseURL, asked } = await listening()
    const client = createClient({ baseURL, userToken: 'svct_x' })
    await client.createUpload()
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    await client.download({ id: 'u1' }, file)
    await client.downloadArchive({ id: 'u1', downloadURL: `${baseURL}/d` })
    expect(asked.map(header('x-svctoken'))).toEqual([
      ['POST /upload', 'svct_x'],
      ['POST /file/u1', 'svct_x'],
      ['GET /file/u1/f1/a.bin', 'svct_x'],
      ['GET /d/archive/u1/u1.zip', 'svct_x'],
    ])
  })

  const secret = {
    userToken: 'svct_x',
    xsrfToken: () => 'xsrf',
    impersonate: () => 'local:ada',
    clientApp: 'test',
  }
  const secretsOf = ({ headers }: Asked) => [
    headers['x-svctoken'],
    headers['x-xsrftoken'],
    headers['x-svc-impersonate'],
    headers['x-uploadtoken'],
    headers.authorization,
  ]

  test('is not sent to a download domain, nor who is acted as', async () => {
    const { baseURL, asked } = await listening()
    const elsewhere = { id: 'u1', downloadURL: baseURL }
    const client = createClient({ baseURL: 'http://127.0.0.1:1', ...secret })
    await client.download(elsewhere, file)
    await client.downloadArchive(elsewhere)
    expect(asked.map(secretsOf)).toEqual([Array(5).fill(undefined), Array(5).fill(undefined)])
    expect(asked.map(({ headers }) => headers['x-clientapp'])).toEqual(['test', 'test'])
  })

  test('does not follow a redirect to another origin, nor come back from there', async () => {
    const home: Asked[] = []
    const { baseURL: elsewhere, asked } = await listening()
    const back: Asked[] = []
    const homeURL: string = await served((request, response) => {
      const seen = { request: request.url ?? '', headers: request.headers }
      if (request.url === '/back') {
        back.push(seen)
        response.end('back')
        return
      }
      home.push(seen)
      const location = request.url?.startsWith('/file/there') ? `${elsewhere}/there?q=1` : `${between}/on`
      response.writeHead(302, { location }).end()
    })
    const between: string = await served((request, response) => {
      asked.push({ request: request.url ?? '', headers: request.headers })
      response.writeHead(307, { location: `${homeURL}/back` }).end()
    })
    const client = createClient({ baseURL: homeURL, ...secret })
    const access = { uploadToken: 'up', credentials: { login: 'l', password: 'p' } }
    await client.download({ id: 'there' }, file, access)
    const response = await client.download({ id: 'round' }, file, access)
    expect(await response.text()).toBe('back')
    expect(home.map((seen) => secretsOf(seen).filter((value) => value !== undefined).length)).toEqual([4, 4])
    expect([...asked, ...back].map((seen) => [seen.request, ...secretsOf(seen)])).toEqual([
      ['GET /there?q=1', ...Array<undefined>(5).fill(undefined)],
      ['/on', ...Array<undefined>(5).fill(undefined)],
      ['/back', ...Array<undefined>(5).fill(undefined)],
    ])
  })

  test('stays through a redirect within the server', async () => {
    const tokens: unknown[] = []
    const baseURL = await served((request, response) => {
      tokens.push(request.headers['x-svctoken'])
      if (request.url === '/new') response.end('{"id":"u1","files":[]}')
      else response.writeHead(308, { location: '/new' }).end()
    })
    expect(await createClient({ baseURL, userToken: 'svct_x' }).upload('u1')).toEqual({ id: 'u1', files: [] })
    expect(tokens).toEqual(['svct_x', 'svct_x'])
  })
})

describe('a redirect', () => {
  test('of what changes something is a refusal', async () => {
    const { baseURL: elsewhere, asked } = await listening()
    const baseURL = await served((request, response) => {
      request.resume()
      response.writeHead(307, { location: elsewhere }).end()
    })
    await expect(createClient({ baseURL }).createUpload()).rejects.toMatchObject({
      status: 307,
      code: 'http_307',
    })
    expect(asked).toEqual([])
  })

  test('without an end is a network error', async () => {
    const baseURL = await served((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    await expect(createClient({ baseURL }).configuration()).rejects.toMatchObject({ code: 'network' })
  })
})

describe('a refusal', () => {
  test('is told once, before it is thrown', async () => {
    const baseURL = await answering(403, 'application/json', '{"message":"m","code":"invalid_session"}')
    const told: string[] = []
    const client = createClient({ baseURL, onError: ({ code }: ApiError) => told.push(code) })
    const asking = [
      client.me(),
      client.download({ id: 'u1' }, file),
      client.addFile('u1', new Blob(['x']), { fileName: 'a' }),
    ]
    const outcomes = await Promise.allSettled(asking)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(told).toEqual(['invalid_session', 'invalid_session', 'invalid_session'])
  })

  test.for([
    ['90', 90],
    ['0', 0],
    [undefined, undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
  ] as const)('with Retry-After %s tells %s seconds', async ([value, retryAfter]) => {
    const baseURL = await served((_request, response) => {
      response.writeHead(429, value === undefined ? {} : { 'retry-after': value }).end()
    })
    await expect(createClient({ baseURL }).localLogin({ login: 'a', password: 'b' })).rejects.toHaveProperty(
      'retryAfter',
      retryAfter,
    )
  })
})
