import { archivePath } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, basic, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { becomes, declareStream, expectToWork, sendWhole, statusOf, type Declared } from './streams.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

/** The stream still waits, and can be downloaded. */
async function expectUntouched(declared: Declared, sent: Promise<{ readonly status: number }>) {
  expect(await statusOf(server, declared)).toBe('uploading')
  expect((await sendRequest(server.url, declared.path)).text).toBe('content')
  expect((await sent).status).toBe(200)
}

async function waiting(options: Parameters<typeof declareStream>[1] = {}) {
  const declared = await declareStream(server, options)
  const sent = sendWhole(server.url, declared, 'content')
  await becomes(server, declared, 'uploading')
  return { declared, sent }
}

describe('a request that does not start a stream', () => {
  test.each([
    ['HEAD', 200, { method: 'HEAD' }],
    ['a preflight', 204, { method: 'OPTIONS' }],
    ['a link preview of a chat', 406, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } }],
    ['a prefetch', 406, { headers: { 'sec-purpose': 'prefetch' } }],
    ['a page that requests a service worker', 403, { headers: { 'service-worker': 'script' } }],
    [
      'a browser that follows a link',
      302,
      { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' } },
    ],
  ] as const)('%s', async (_who, status, request) => {
    const { declared, sent } = await waiting()
    expect((await sendRequest(server.url, declared.path, request)).status).toBe(status)
    await expectUntouched(declared, sent)
  })

  test('without the password', async () => {
    const { declared, sent } = await waiting({ password: 'secret' })
    for (const headers of [{}, { authorization: basic('svc', 'wrong') }])
      expect(errorIn(await sendRequest(server.url, declared.path, { headers })).code).toBe(
        'wrong_credentials',
      )
    const got = await sendRequest(server.url, declared.path, {
      headers: { authorization: basic('svc', 'secret') },
    })
    expect([got.status, got.text, (await sent).status]).toEqual([200, 'content', 200])
  })
})

describe('a request that may not send a stream', () => {
  test('without the token of the upload', async () => {
    const declared = await declareStream(server)
    const response = await sendWhole(server.url, { ...declared, token: 'x' }, 'content')
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
    expect(await statusOf(server, declared)).toBe('missing')
  })

  test('a request that is not a form is rejected at once, not when a recipient connects', async () => {
    const declared = await declareStream(server)
    const headers = { 'content-type': 'application/json' }
    const response = await sendWhole(server.url, declared, 'content', headers)
    expect(errorIn(response)).toEqual({ status: 415, code: 'unsupported_media_type' })
    expect(await statusOf(server, declared)).toBe('missing')
  })

  test('an undeclared file has no URL to download', async () => {
    const { upload, token } = await declareStream(server)
    const response = await sendRequest(server.url, `/file/${upload.id}`, {
      method: 'POST',
      headers: { 'content-type': formType, 'x-uploadtoken': token },
      body: fileForm('content'),
    })
    expect(errorIn(response)).toEqual({ status: 400, code: 'stream_not_declared' })
  })
})

test('a one-shot stream behaves as any other stream, and extends its upload', async () => {
  const declared = await declareStream(server, { oneShot: true, extend_ttl: true, ttl: 3600 })
  server.clock.advance(1_800_000)
  await expectToWork(server, declared)
  const { expireAt } = await server.client.upload(declared.upload.id)
  expect(Date.parse(expireAt ?? '')).toBe(server.clock.now() + 3_600_000)
})

test('a stream has no archive', async () => {
  const { declared, sent } = await waiting()
  const response = await sendRequest(server.url, archivePath(declared.upload.id, 'all.zip'))
  expect(errorIn(response)).toEqual({ status: 400, code: 'archive_of_stream' })
  await expectUntouched(declared, sent)
})

test('a streamed file never counts as stored, and releases its entry', async () => {
  const limitedServer = await startTestServer({ config: { maxFilePerUpload: 1 } })
  try {
    const declared = await declareStream(limitedServer)
    await expectToWork(limitedServer, declared)
    expect(lookUp(limitedServer, 'select size + fileCount from uploads')).toEqual([0])
    expect((await limitedServer.clean()).deletedFiles).toBe(1)
    expect(await statusOf(limitedServer, declared)).toBe('deleted')
  } finally {
    await limitedServer.close()
  }
})

describe('the feature flag of streams', () => {
  const create = (at: TestServer, json: object) =>
    sendRequest(at.url, '/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })

  test.each([
    ['disabled', [false, 400]],
    ['enabled', [false, true]],
    ['default', [true, true]],
    ['forced', [true, true]],
  ] as const)('%s', async (flag, [withoutOption, withOption]) => {
    const at = await startTestServer({ features: { feature_stream: flag } })
    try {
      const responses = [await create(at, {}), await create(at, { stream: true })]
      const found = responses.map((response) =>
        response.status === 200 ? (jsonIn(response) as { readonly stream: boolean }).stream : response.status,
      )
      expect(found).toEqual([withoutOption, withOption])
      const config = jsonIn(await sendRequest(at.url, '/config'))
      expect(config).toMatchObject({ feature_stream: flag, streamTimeout: 300 })
    } finally {
      await at.close()
    }
  })
})
