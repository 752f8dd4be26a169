import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn } from '../../support/clients/send-request.ts'
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let clientsDirectory: string
let server: TestServer | undefined
beforeEach(async () => {
  clientsDirectory = await temporaryDirectory()
})
afterEach(async () => {
  await server?.close()
})

const start = async (features: TestServerOptions['features'] = {}) => {
  server = await startTestServer({ config: { clientsDirectory }, features })
  return server
}
const clientsOf = async ({ url }: TestServer) =>
  (jsonIn(await sendRequest(url, '/version')) as { readonly clients: object[] }).clients
const digest = (name: string, content: string) => createHash(name).update(content).digest('hex')
const described = (content: string) => ({
  size: content.length,
  sha256: digest('sha256', content),
  md5: digest('md5', content),
})

test('the programs in the clients directory are listed and served', async () => {
  await mkdir(join(clientsDirectory, 'linux-x64'))
  await writeFile(join(clientsDirectory, 'svc.mjs'), 'bundle')
  await writeFile(join(clientsDirectory, 'svc.sh'), 'script')
  await writeFile(join(clientsDirectory, 'linux-x64', 'svc'), 'executable')
  await writeFile(join(clientsDirectory, 'notes.txt'), 'no program')
  const running = await start()
  expect(await clientsOf(running)).toEqual([
    { name: 'svc', os: 'linux', arch: 'x64', path: '/clients/linux-x64/svc', ...described('executable') },
    { name: 'svc', os: 'any', arch: 'node', path: '/clients/svc.mjs', ...described('bundle') },
    { name: 'svc.sh', os: 'any', arch: 'shell', path: '/clients/svc.sh', ...described('script') },
  ])
  const response = await sendRequest(running.url, '/clients/linux-x64/svc')
  expect([response.status, response.text, response.headers['content-disposition']]).toEqual([
    200,
    'executable',
    'attachment',
  ])
})

test('a replaced program gets a new description', async () => {
  await writeFile(join(clientsDirectory, 'svc.mjs'), 'old')
  const running = await start()
  expect(await clientsOf(running)).toMatchObject([described('old')])
  await writeFile(join(clientsDirectory, 'svc.mjs'), 'newer')
  expect(await clientsOf(running)).toMatchObject([described('newer')])
})

test('without programs the list is empty', async () => {
  const running = await start()
  expect(await clientsOf(running)).toEqual([])
  expect((await sendRequest(running.url, '/clients/svc.mjs')).status).toBe(404)
})

test('a server with clients disabled neither lists nor serves them', async () => {
  await writeFile(join(clientsDirectory, 'svc.mjs'), 'bundle')
  const running = await start({ feature_clients: 'disabled' })
  expect(await clientsOf(running)).toEqual([])
  expect((await sendRequest(running.url, '/clients/svc.mjs')).status).toBe(404)
  expect((await sendRequest(running.url, '/clients/sharex.sxcu')).status).toBe(404)
})

describe('the file for ShareX', () => {
  const getProfile = async (config: TestServerOptions['config'] = {}) => {
    server = await startTestServer({ config: { clientsDirectory, ...config } })
    return sendRequest(server.url, `${config.path ?? ''}/clients/sharex.sxcu`)
  }

  test('uses the address of the request', async () => {
    const response = await getProfile()
    const { url = '' } = server ?? {}
    expect(jsonIn(response)).toEqual({
      Version: '14.0.0',
      Name: `Svc at ${new URL(url).host}`,
      DestinationType: 'ImageUploader, TextUploader, FileUploader',
      RequestMethod: 'POST',
      RequestURL: `${url}/`,
      Body: 'MultipartFormData',
      FileFormName: 'file',
      URL: '{regex:http.+}',
      DeletionURL: `${url}/#/?id={header:x-uploadid}&uploadToken={header:x-uploadtoken}`,
      ErrorMessage: '{response}',
    })
    expect(response.headers['content-disposition']).toBe('attachment')
  })

  test('sends to the configured domain and prefix', async () => {
    const response = await getProfile({ svcDomain: 'https://send.example', path: '/share' })
    expect(jsonIn(response)).toMatchObject({
      Name: 'Svc at send.example',
      RequestURL: 'https://send.example/share/',
    })
  })
})
