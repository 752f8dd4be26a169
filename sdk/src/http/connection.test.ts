import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import type { ApiError } from '../errors/api-error.ts'
import { createClient } from '../api/client.ts'

const { served, respondingWith, close } = createServers()
afterEach(close)

const file = { id: 'f1', fileName: 'a.bin' }

interface RecordedRequest {
  readonly request: string
  readonly headers: IncomingHttpHeaders
}

async function listening(): Promise<{ baseURL: string; requests: RecordedRequest[] }> {
  const requests: RecordedRequest[] = []
  const baseURL = await served((request, response) => {
    requests.push({
      request: `${request.method ?? ''} ${request.url ?? ''}`,
      headers: request.headers,
    })
    request.resume()
    request.once('end', () => response.end('{"id":"u1","files":[]}'))
  })
  return { baseURL, requests }
}

const header =
  (name: string) =>
  ({ request, headers }: RecordedRequest) => [request, headers[name]]

describe('the XSRF token', () => {
  test('accompanies requests that change something, with its current value', async () => {
    const { baseURL, requests } = await listening()
    let token: string | undefined = 'first'
    const client = createClient({ baseURL, xsrfToken: () => token })
    await client.createUpload()
    token = 'second'
    await client.updateMe({ name: 'Ada' })
    await client.removeUpload('u1')
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    token = undefined
    await client.removeMe()
    expect(requests.map(header('x-xsrftoken'))).toEqual([
      ['POST /upload', 'first'],
      ['PATCH /me', 'second'],
      ['DELETE /upload/u1', 'second'],
      ['POST /file/u1', 'second'],
      ['DELETE /me', undefined],
    ])
  })

  test('is not sent with requests that only read', async () => {
    const { baseURL, requests } = await listening()
    const client = createClient({ baseURL, xsrfToken: () => 'secret' })
    await client.me()
    await client.logout()
    await client.download({ id: 'u1' }, file, { method: 'HEAD' })
    expect(requests.map(header('x-xsrftoken'))).toEqual([
      ['GET /me', undefined],
      ['GET /auth/logout', undefined],
      ['HEAD /file/u1/f1/a.bin', undefined],
    ])
  })
})

describe('the impersonated user', () => {
  test('is sent as ASCII while there is one', async () => {
    const { baseURL, requests } = await listening()
    let userID: string | undefined = 'oidc:zoë/1%:x'
    const client = createClient({ baseURL, impersonate: () => userID })
    await client.me()
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    userID = undefined
    await client.me()
    expect(requests.map(header('x-svc-impersonate'))).toEqual([
      ['GET /me', 'oidc%3Azo%C3%AB%2F1%25%3Ax'],
      ['POST /file/u1', 'oidc%3Azo%C3%AB%2F1%25%3Ax'],
      ['GET /me', undefined],
    ])
  })
})

test('the user that the application shows accompanies changes, once it is known', async () => {
  const { baseURL, requests } = await listening()
  let userID: string | null | undefined
  const client = createClient({ baseURL, expectedUser: () => userID })
  await client.createUpload()
  userID = 'oidc:zoë/1%:x'
  await client.createUpload()
  await client.me()
  userID = null
  await client.createUpload()
  expect(requests.map(header('x-svc-expected-user'))).toEqual([
    ['POST /upload', undefined],
    ['POST /upload', 'oidc%3Azo%C3%AB%2F1%25%3Ax'],
    ['GET /me', undefined],
    ['POST /upload', 'guest'],
  ])
})

describe('a user token', () => {
  test('accompanies every request to the server', async () => {
    const { baseURL, requests } = await listening()
    const client = createClient({ baseURL, userToken: 'svct_x' })
    await client.createUpload()
    await client.addFile('u1', new Blob(['x']), { fileName: 'a' })
    await client.download({ id: 'u1' }, file)
    await client.downloadArchive({ id: 'u1', downloadURL: `${baseURL}/d` })
    expect(requests.map(header('x-svctoken'))).toEqual([
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
    expectedUser: () => 'local:ada',
    clientApp: 'test',
  }
  const secretsOf = ({ headers }: RecordedRequest) => [
    headers['x-svctoken'],
    headers['x-xsrftoken'],
    headers['x-svc-impersonate'],
    headers['x-svc-expected-user'],
    headers['x-uploadtoken'],
    headers['x-requesttoken'],
    headers.authorization,
  ]

  test('is not sent to a download domain, and neither is the impersonated user', async () => {
    const { baseURL, requests } = await listening()
    const elsewhere = { id: 'u1', downloadURL: baseURL }
    const client = createClient({ baseURL: 'http://127.0.0.1:1', ...secret })
    await client.download(elsewhere, file)
    await client.downloadArchive(elsewhere)
    expect(requests.flatMap(secretsOf).filter((value) => value !== undefined)).toEqual([])
    expect(requests.map(({ headers }) => headers['x-clientapp'])).toEqual(['test', 'test'])
  })

  test('does not follow a redirect to another origin and back', async () => {
    const home: RecordedRequest[] = []
    const { baseURL: elsewhere, requests } = await listening()
    const back: RecordedRequest[] = []
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
      requests.push({ request: request.url ?? '', headers: request.headers })
      response.writeHead(307, { location: `${homeURL}/back` }).end()
    })
    const client = createClient({ baseURL: homeURL, ...secret })
    const access = { uploadToken: 'up', requestToken: 'rt', credentials: { login: 'l', password: 'p' } }
    await client.download({ id: 'there' }, file, access)
    const response = await client.download({ id: 'round' }, file, access)
    expect(await response.text()).toBe('back')
    const sentSecrets = (seen: RecordedRequest) => secretsOf(seen).filter((value) => value !== undefined)
    expect(home.map((seen) => sentSecrets(seen).length)).toEqual([5, 5])
    expect([...requests, ...back].map((seen) => [seen.request, ...sentSecrets(seen)])).toEqual([
      ['GET /there?q=1'],
      ['/on'],
      ['/back'],
    ])
  })

  test('follows a redirect within the server', async () => {
    const tokens: unknown[] = []
    const baseURL = await served((request, response) => {
      tokens.push(request.headers['x-svctoken'])
      if (request.url === '/new') response.end('{"id":"u1","files":[]}')
      else response.writeHead(308, { location: '/new' }).end()
    })
    expect(await createClient({ baseURL, userToken: 'svct_x' }).upload('u1')).toMatchObject({
      id: 'u1',
      files: [],
    })
    expect(tokens).toEqual(['svct_x', 'svct_x'])
  })
})

describe('a redirect', () => {
  test('of a request that changes something is an error', async () => {
    const { baseURL: elsewhere, requests } = await listening()
    const baseURL = await served((request, response) => {
      request.resume()
      response.writeHead(307, { location: elsewhere }).end()
    })
    await expect(createClient({ baseURL }).createUpload()).rejects.toMatchObject({
      status: 307,
      code: 'http_307',
    })
    expect(requests).toEqual([])
  })

  test.each([
    ['/again', /\/again redirects too often$/],
    ['file:///etc/passwd', /redirects to file:\/\/\/etc\/passwd, which is not an address of the web$/],
    ['http://', /redirects to http:\/\/, which is not an address of the web$/],
  ])('to %s names the reason', async (location, message) => {
    const baseURL = await served((_request, response) => {
      response.writeHead(302, { location }).end()
    })
    await expect(createClient({ baseURL }).configuration()).rejects.toMatchObject({
      code: 'http_302',
      status: 302,
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('an error response', () => {
  test('is reported once to onError before the call throws', async () => {
    const baseURL = await respondingWith(403, 'application/json', '{"message":"m","code":"invalid_session"}')
    const reported: string[] = []
    const client = createClient({ baseURL, onError: ({ code }: ApiError) => reported.push(code) })
    const calls = [
      client.me(),
      client.download({ id: 'u1' }, file),
      client.addFile('u1', new Blob(['x']), { fileName: 'a' }),
    ]
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(reported).toEqual(['invalid_session', 'invalid_session', 'invalid_session'])
  })

  test.for([
    ['90', 90],
    ['0', 0],
    [undefined, undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
  ] as const)('with Retry-After %s has the delay %s in seconds', async ([value, retryAfter]) => {
    const baseURL = await served((_request, response) => {
      response.writeHead(429, value === undefined ? {} : { 'retry-after': value }).end()
    })
    await expect(createClient({ baseURL }).localLogin({ login: 'a', password: 'b' })).rejects.toHaveProperty(
      'retryAfter',
      retryAfter,
    )
  })
})
