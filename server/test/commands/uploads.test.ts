import { headers } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { json, svcd, type CommandLineOptions } from './command-line.ts'

let server: TestServer
beforeEach(async () => {
  const directory = await emptyDirectory()
  server = await startTestServer({ directory, features: { feature_authentication: 'enabled' } })
})
afterEach(async () => {
  await server.close()
})

const run = (args: readonly string[], options: CommandLineOptions = {}) =>
  svcd(server.directory, args, { clock: server.clock, ...options })

/** Path of a file of 7 bytes that a new user uploads. */
async function uploadAsBob(): Promise<string> {
  await run(['user', 'create', 'bob', '--generate-password'])
  const token = (await run(['token', 'create', 'bob'])).output.trim()
  const { text } = await sendRequest(server.url, '/file.txt', {
    method: 'PUT',
    body: 'content',
    headers: { [headers.userToken]: token },
  })
  return new URL(text.trim()).pathname
}

test('uploads are listed, shown and deleted', async () => {
  const ofBob = /^\/file\/(\w+)\//.exec(await uploadAsBob())?.[1] ?? ''
  server.clock.advance(1000)
  const { upload, file, path } = await storeUpload(server, 'a secret', {
    oneShot: true,
    password: 'pass',
    comments: 'hello',
  })
  const ids = async (...args: string[]) =>
    (
      (await json(server.directory, ['upload', 'list', ...args], { clock: server.clock })) as { id: string }[]
    ).map(({ id }) => id)
  expect(await ids()).toEqual([upload.id, ofBob])
  expect(await ids('--sort=size')).toEqual([upload.id, ofBob])
  expect(await ids('--limit=1')).toEqual([upload.id])
  expect(await ids('--user=bob')).toEqual([ofBob])

  const showUpload = async () =>
    json(server.directory, ['upload', 'show', upload.id], { clock: server.clock })
  const expected = {
    ...upload,
    admin: false,
    uploadToken: undefined,
    files: [{ ...file, status: 'uploaded' }],
    size: 8,
    address: '127.0.0.1',
    removedAt: null,
  }
  expect(await showUpload()).toEqual(expected)
  expect((await run(['upload', 'list'])).output).toBe(
    'ID                CREATED               EXPIRES               FILES  SIZE  USER       OPTIONS\n' +
      `${upload.id}  2026-01-01T00:00:01Z  2026-01-31T00:00:01Z      1  8 B   -          one-shot, password\n` +
      `${ofBob}  2026-01-01T00:00:00Z  2026-01-31T00:00:00Z      1  7 B   local:bob\n`,
  )
  expect((await run(['upload', 'delete', upload.id])).output).toBe(
    `removed ${upload.id}; the next cleanup deletes its data\n`,
  )
  expect((await sendRequest(server.url, path)).status).toBe(404)
  expect(await ids()).toEqual([ofBob])
  expect(await showUpload()).toEqual({
    ...expected,
    files: [{ ...file, status: 'removed', downloadsLeft: 0 }],
    size: 0,
    removedAt: '2026-01-01T00:00:01.000Z',
  })
  expect((await run(['upload', 'show', upload.id])).output).toContain('removed   2026-01-01T00:00:01Z\n')
})

test('stats count users, uploads, files and bytes', async () => {
  await uploadAsBob()
  await storeUpload(server, 'guest')
  const expected = {
    users: 1,
    uploads: 2,
    anonymousUploads: 1,
    files: 2,
    totalSize: 12,
    anonymousTotalSize: 5,
  }
  expect(await json(server.directory, ['stats'])).toEqual(expected)
  expect((await run(['stats'])).output).toBe(
    'users              1\n' +
      'uploads            2\n' +
      'anonymous uploads  1\n' +
      'files              2\n' +
      'size               12 B\n' +
      'anonymous size     5 B\n',
  )
  const shown = (await json(server.directory, ['user', 'show', 'bob'])) as { readonly stats: unknown }
  expect(shown.stats).toEqual({ uploads: 1, files: 1, totalSize: 7 })
})

test('all uploads from a network are listed and removed together, after a question', async () => {
  const paths = [
    await uploadAsBob(),
    (await storeUpload(server, 'one')).path,
    (await storeUpload(server, 'more')).path,
  ]
  const statuses = () => Promise.all(paths.map(async (path) => (await sendRequest(server.url, path)).status))
  const listSizes = async (...args: string[]) =>
    (
      (await json(server.directory, ['upload', 'list', ...args], { clock: server.clock })) as {
        size: number
      }[]
    ).map(({ size }) => size)
  expect((await listSizes('--address=127.0.0.0/8')).sort()).toEqual([3, 4, 7])
  expect(await listSizes('--address=127.0.0.1', '--sort=size', '--limit=2')).toEqual([7, 4])
  expect(await listSizes('--address=127.0.0.1', '--user=bob')).toEqual([7])
  expect(await listSizes('--address=192.0.2.0/24')).toEqual([])

  const remove = (...args: string[]) => run(['upload', 'delete', '--address=127.0.0.1', ...args])
  expect(await remove()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the confirmation needs a terminal: use --yes') as string,
  })
  expect(await run(['upload', 'delete', '--address=127.0.0.1'], { typed: ['n'] })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Remove 3 uploads from 127.0.0.1/32, 14 B? [y/N]') as string,
  })
  expect((await run(['upload', 'delete', '--address=192.0.2.0/24', '--yes'])).output).toBe(
    'removed 0 uploads from 192.0.2.0/24; the next cleanup deletes the data\n',
  )
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await remove('--user=bob', '--yes')).output).toBe(
    'removed 1 upload from 127.0.0.1/32; the next cleanup deletes the data\n',
  )
  expect(await statuses()).toEqual([404, 200, 200])
  expect((await run(['upload', 'delete', '--address=127.0.0.1'], { typed: ['y'] })).output).toContain(
    'removed 2 uploads',
  )
  expect(await statuses()).toEqual([404, 404, 404])
  expect(await json(server.directory, ['stats'])).toMatchObject({ uploads: 0, files: 0, totalSize: 0 })
})
