import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../../scripts/tests/needs.ts'
import { curl } from '../../support/clients/curl.ts'
import { form, formType, type FormPart } from '../../support/clients/forms.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { fileStatuses } from '../../support/servers/server-data.ts'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { maxFileSize: 100_000, maxFilePerUpload: 40 } })
})
afterAll(() => server.close())

const post = ({ url }: TestServer, parts: readonly FormPart[]) =>
  sendRequest(url, '/', {
    method: 'POST',
    headers: { 'content-type': formType },
    body: form(parts),
  })

const part = (fileName: string, content = fileName): FormPart => ({ fileName, content })

describe('a quick upload of several files', () => {
  test('makes one upload, and returns a line for each file in the order of the form', async () => {
    const names = ['a.txt', 'b c.txt', 'a.txt', 'empty']
    const contents = ['first', 'second', 'third', '']
    const field = { name: 'comment', content: 'text' }
    const [first, ...others] = names.map((name, index) => part(name, contents[index]))
    const response = await post(server, [field, ...(first ? [first] : []), field, ...others, field])
    expect(response.status).toBe(200)
    const uploadToken = String(response.headers['x-uploadtoken'])
    const upload = await server.client.upload(String(response.headers['x-uploadid']), { uploadToken })
    expect(upload.files.map(({ fileName, status }) => [fileName, status])).toEqual(
      names.map((name) => [name, 'uploaded']),
    )
    const paths = response.text
      .trim()
      .split('\n')
      .map((line) => line.replace(server.url, ''))
    expect(response.text.endsWith('\n')).toBe(true)
    const downloads = await Promise.all(paths.map((path) => sendRequest(server.url, path)))
    expect(downloads.map(({ text }) => text)).toEqual(contents)
  })

  test('may have as many files as an upload', async () => {
    const names = Array.from({ length: 40 }, (_, index) => String(index))
    const { text } = await post(
      server,
      names.map((name) => part(name)),
    )
    expect(text.trim().split('\n')).toHaveLength(40)
  })
})

describe('a quick upload of several files stores nothing', () => {
  let failing: TestServer
  beforeAll(async () => {
    failing = await startTestServer({ config: { maxFileSize: 100_000, maxFilePerUpload: 3 } })
  })
  afterAll(() => failing.close())
  afterEach(() => expectNothingLeft(failing))

  test.each<[string, readonly FormPart[], number, string]>([
    [
      'one is too big',
      [part('a'), part('b.bin', 'x'.repeat(100_001)), part('c')],
      413,
      'b.bin: file too big',
    ],
    ['one has an invalid name', [part('a'), part('..'), part('c')], 400, '..: '],
    ['a name would change a terminal', [part('a'), part('\u001b[31mred')], 400, 'red: '],
    ['one is in another field', [part('a'), { ...part('b'), name: 'other' }], 400, 'a part called "file"'],
    ['there are too many', [part('a'), part('b'), part('c'), part('d')], 400, 'at most 3'],
  ])('if %s', async (_why, parts, status, words) => {
    const response = await post(failing, parts)
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(words)])
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.text).toMatch(/^[^\p{Cc}]+\n$/u)
    if (words.endsWith(': ')) expect(response.text).toContain('; no file of the form is stored')
    expect(response.headers).not.toHaveProperty('x-uploadtoken')
  })

  test('if the form breaks off after the first one', async () => {
    const whole = form([part('a'), part('b')])
    const response = await sendRequest(failing.url, '/', {
      method: 'POST',
      headers: { 'content-type': formType },
      body: whole.subarray(0, -20),
    })
    expect(response.status).toBe(400)
  })

  test('if the sender disconnects during the second one', async () => {
    const connection = await rawConnection(failing.url)
    const whole = form([part('a'), part('b', 'x'.repeat(5_000))])
    const headers = { 'content-type': formType, 'content-length': whole.length }
    await connection.send(requestHead('POST', '/', headers))
    await connection.send(whole.subarray(0, -3_000))
    await until('the first one has arrived', () => fileStatuses(failing).includes('uploaded'))
    connection.cut()
    await until('the upload is removed', () => !fileStatuses(failing).includes('uploaded'))
  })
})

describeWith(['curl'], 'curl', () => {
  test('sends several files, and prints a link for each', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-several-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const contents = ['x'.repeat(90_000), 'second']
    const paths = contents.map((_, index) => join(folder, `${String(index)}.txt`))
    for (const [index, path] of paths.entries()) await writeFile(path, contents[index] ?? '')
    const { ended } = curl([...paths.flatMap((path) => ['-F', `file=@${path}`]), `${server.url}/`])
    const { status, output } = await ended
    const links = output.trim().split('\n')
    expect([status, links.length]).toEqual([0, 2])
    const downloads = await Promise.all(links.map((link) => sendRequest(server.url, new URL(link).pathname)))
    expect(downloads.map(({ text }) => text)).toEqual(contents)
  })

  test('streams one file only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-several-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'a.txt')
    await writeFile(file, 'content')
    const sender = curl(['-F', `file=@${file}`, '-F', `file=@${file}`, `${server.url}/?stream=true`])
    const link = new URL(await sender.line())
    await sendRequest(server.url, link.pathname).catch(() => undefined)
    const { status, output } = await sender.ended
    expect([status === 0, output]).toEqual([false, expect.stringContaining('it has more than one file')])
  })
})
