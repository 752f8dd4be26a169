import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createClient, type Client } from '@svc/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { describeOn } from '../support/describe-on.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { until } from '../support/until.ts'

const sample = readFileSync(resolve(import.meta.dirname, '../../../deploy/nginx.conf'), 'utf8')

/** nginx as the sample sets it up, in front of two servers. */
async function startProxy(directory: string, servers: readonly [Svcd, Svcd]) {
  const port = await freePort()
  const [first, second] = servers.map(({ url }) => new URL(url).host)
  const site = sample
    .replace('svcd1:8080', String(first))
    .replace('svcd2:8080', String(second))
    .replace('listen 80;', `listen 127.0.0.1:${String(port)};`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join(' ')
  const settings = join(directory, 'nginx.conf')
  const userLine = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    settings,
    `daemon off; ${userLine} pid ${directory}/pid; error_log ${directory}/error.log; events {} http { access_log off; ${folders} ${site} }`,
  )
  const nginx = spawn('/usr/sbin/nginx', [
    '-p',
    directory,
    '-e',
    join(directory, 'error.log'),
    '-c',
    settings,
  ])
  const url = `http://127.0.0.1:${String(port)}`
  await until('nginx responds', async () => {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(directory, 'error.log'), 'utf8'))
    return fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return { nginx, url }
}

describeOn('nginx', 'two servers behind the sample configuration', () => {
  let directory: string
  let servers: [Svcd, Svcd]
  let nginx: ChildProcess
  let url: string
  let client: Client

  beforeAll(async () => {
    directory = await emptyDirectory()
    const settings = { TRUSTED_PROXIES: '["127.0.0.0/8"]' }
    // The first one makes the database.
    const first = await startSvcd(directory, settings)
    servers = [first, await startSvcd(directory, settings)]
    ;({ nginx, url } = await startProxy(directory, servers))
  })
  beforeEach(() => {
    client = createClient({ baseURL: url })
  })
  afterAll(async () => {
    nginx.kill('SIGQUIT')
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
  })

  test('a file that one of them takes is had from both, at the address that the client uses', async () => {
    const link = (
      await sendRequest(url, '/', {
        method: 'POST',
        headers: { 'content-type': formType },
        body: fileForm('hello'),
      })
    ).text
    expect(link.startsWith(`${url}/file/`)).toBe(true)
    const { pathname } = new URL(link.trim())
    for (const base of [url, url, ...servers.map((server) => server.url)])
      expect((await sendRequest(base, pathname)).text).toBe('hello')
  })

  test('a client cannot forge its address or the host for the proxy', async () => {
    const headers = {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.test;proto=https',
    }
    const link = (await sendRequest(url, '/name', { method: 'PUT', headers, body: 'x' })).text
    expect(new URL(link.trim()).origin).toBe(url)

    // The address of this client is among TrustedProxies, as that of any program on the machine of the proxy.
    await sendRequest(url, '/', {
      method: 'POST',
      headers: { 'content-type': formType, 'x-forwarded-for': '192.0.2.7' },
      body: fileForm('forged'),
    })
    expect(lookUp({ directory }, 'select distinct address from uploads')).toEqual(['127.0.0.1'])
  })

  test('an upload reaches a server while it is being sent', async () => {
    const { id, uploadToken = '' } = await client.createUpload()
    const whole = fileForm('0123456789')
    const connection = await rawConnection(url)
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType, 'content-length': whole.length }
    await connection.send(
      Buffer.concat([Buffer.from(requestHead('POST', `/file/${id}`, headers)), whole.subarray(0, -20)]),
    )
    await until('a server receives it', async () => {
      const { files } = await client.upload(id, { uploadToken })
      return files[0]?.status === 'uploading'
    })
    await connection.send(whole.subarray(-20))
    expect((await connection.response()).status).toBe(200)
    connection.cut()
  })

  test('a stream begins when a downloader comes, whichever servers the two reach', async () => {
    const {
      id,
      uploadToken = '',
      files,
    } = await client.createUpload({
      stream: true,
      files: [{ fileName: 'a.txt', reference: '0' }],
    })
    const path = `/stream/${id}/${String(files[0]?.id)}/a.txt`
    const sent = sendRequest(url, path, {
      method: 'POST',
      headers: { 'x-uploadtoken': uploadToken, 'content-type': formType },
      body: fileForm('streamed'),
    })
    const got = await until('the sender is there', async () => {
      const response = await sendRequest(url, path)
      return response.status === 200 && response
    })
    expect([got.text, (await sent).status]).toEqual(['streamed', 200])
    expect(errorIn(await sendRequest(url, path))).toEqual({ status: 404, code: 'file_not_found' })
  })

  test('of many downloads of a one-shot file, one has it', async () => {
    const { upload, path } = await oneShot()
    const responses = await Promise.all(Array.from({ length: 40 }, () => sendRequest(url, path)))
    expect(responses.filter(({ status }) => status === 200).map(({ text }) => text)).toEqual(['once'])
    expect(
      responses.filter(({ status }) => status !== 200).every(({ status }) => [404, 409].includes(status)),
    ).toBe(true)
    expect(upload.oneShot).toBe(true)
  })

  async function oneShot() {
    const upload = await client.createUpload({ oneShot: true })
    const added = await sendRequest(url, `/file/${upload.id}`, {
      method: 'POST',
      headers: { 'x-uploadtoken': upload.uploadToken ?? '', 'content-type': formType },
      body: fileForm('once'),
    })
    const { id, fileName } = jsonIn(added) as { readonly id: string; readonly fileName: string }
    return { upload, path: `/file/${upload.id}/${id}/${fileName}` }
  }

  test('when one of them dies, the other does the work', async () => {
    servers[0].kill('SIGKILL')
    await servers[0].ended
    for (let tried = 0; tried < 4; tried++) {
      const response = await sendRequest(url, '/', {
        method: 'POST',
        headers: { 'content-type': formType },
        body: fileForm('x'),
      })
      expect(response.status).toBe(200)
    }
  })
})
