import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, basic, type TestResponse } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { fileStatuses } from '../../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    config: { maxFileSize: 1_000 },
    features: { feature_extend_ttl: 'enabled' },
  })
})
afterAll(() => server.close())

const post = (query: string, content = 'content', fileName = 'file.txt') =>
  sendRequest(server.url, `/${query}`, {
    method: 'POST',
    headers: { 'content-type': formType },
    body: fileForm(content, fileName),
  })
const put = (path: string, content = 'content') =>
  sendRequest(server.url, path, { method: 'PUT', body: content })

const shown = ({ headers }: TestResponse) =>
  server.client.upload(String(headers['x-uploadid']), { uploadToken: String(headers['x-uploadtoken']) })

/** The path of the address in the response. */
const pathIn = ({ text }: TestResponse) => text.trim().replace(server.url, '')

describe.each([
  ['POST / with a form', (query: string) => post(query)],
  ['PUT /{name}', (query: string) => put(`/file.txt${query}`)],
])('%s', (_route, send) => {
  test('returns the address of the file in plain text, and the token in a header', async () => {
    const response = await send('')
    const upload = await shown(response)
    const [file] = upload.files
    expect(response.text).toBe(`${server.url}/file/${upload.id}/${file?.id ?? ''}/file.txt\n`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.headers['x-uploadtoken']).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(file).toMatchObject({ fileName: 'file.txt', fileSize: 7, status: 'uploaded', type: 'text/plain' })
    expect((await sendRequest(server.url, pathIn(response))).text).toBe('content')
  })

  test('takes its options from the query', async () => {
    const options =
      'ttl=1d&oneShot=true&removable=true&extend_ttl=false&comments=hello%20you&login=me&password=pass'
    expect(await shown(await send(`?${options}`))).toMatchObject({
      ttl: 86_400,
      oneShot: true,
      removable: true,
      extend_ttl: false,
      comments: 'hello you',
      protectedByPassword: true,
    })
  })

  test('protects with the given password', async () => {
    const path = pathIn(await send('?password=p'))
    expect((await sendRequest(server.url, path)).status).toBe(401)
    expect(
      (await sendRequest(server.url, path, { headers: { authorization: basic('svc', 'p') } })).text,
    ).toBe('content')
  })

  test.each([
    ['ttl=60', 60],
    ['ttl=90s', 90],
    ['ttl=1d12h', 129_600],
    ['ttl=0', 2_592_000],
  ])('accepts %s', async (query, ttl) => {
    expect((await shown(await send(`?${query}`))).ttl).toBe(ttl)
  })

  test.each([
    ['ttl=soon', 400],
    ['ttl=', 400],
    ['ttl=-1', 400],
    ['oneShot=maybe', 400],
    ['oneShot=1', 400],
    ['stream=1', 400],
    ['login=me', 400],
    [`password=${'p'.repeat(129)}`, 400],
    ['e2ee=age', 400],
  ])('rejects %s in plain text, and stores nothing', async (query, status) => {
    const before = fileStatuses(server).filter((stored) => stored === 'uploaded').length
    const response = await send(`?${query}`)
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.text).toMatch(/^[^{<\n]+\n$/)
    expect(response.headers).not.toHaveProperty('x-uploadtoken')
    expect(fileStatuses(server).filter((stored) => stored === 'uploaded')).toHaveLength(before)
  })

  test('ignores unknown options', async () => {
    expect((await send('?colour=blue&id=x')).status).toBe(200)
  })
})

test('an invalid form is rejected in plain text', async () => {
  const response = await sendRequest(server.url, '/', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  })
  expect([response.status, response.headers['content-type']]).toEqual([415, 'text/plain; charset=utf-8'])
})

test.each(['application/json', 'multipart/form-data; boundary=x', 'text/html', 'nonsense'])(
  'a raw body is the file, for any declared type: %s',
  async (type) => {
    const response = await sendRequest(server.url, '/raw', {
      method: 'PUT',
      headers: { 'content-type': type },
      body: '{"a":1}',
    })
    expect(response.status).toBe(200)
    expect((await sendRequest(server.url, pathIn(response))).text).toBe('{"a":1}')
  },
)

test('a raw body needs a name without folders', async () => {
  for (const path of ['/', '/a/b', '/a%2Fb', '/..', '/%2e%2e', '/.']) {
    const { status, text } = await put(path)
    const expected = path === '/' ? [405] : [400, 404]
    expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => expected.includes(code))])
    expect(text).not.toBe('')
  }
})

test('an empty file can be sent as a form or as a raw body', async () => {
  for (const response of [await post('', ''), await put('/empty', '')]) {
    expect((await shown(response)).files[0]).toMatchObject({
      fileSize: 0,
      md5: 'd41d8cd98f00b204e9800998ecf8427e',
    })
    expect((await sendRequest(server.url, pathIn(response))).text).toBe('')
  }
})
