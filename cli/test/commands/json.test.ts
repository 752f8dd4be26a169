import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** The output that a script reads with `--json`. */
let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { MAX_FILE_SIZE_STR: '1 kB' })
  svc = await installSvc(server.url)
  await writeFile(svc.path('small'), 'small')
  await writeFile(svc.path('large'), Buffer.alloc(2000))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const missingUpload = 'AAAAAAAAAAAAAAAA'

test.each<[name: string, args: readonly string[], error: object]>([
  ['downloading a missing upload', ['get', missingUpload], { code: 'upload_not_found', status: 1 }],
  ['showing a missing upload', ['info', '-j', missingUpload], { code: 'upload_not_found', status: 1 }],
  ['an invalid link', ['rm', 'nothing'], { code: 'usage', status: 2 }],
  ['an unknown option', ['get', '--nothing', missingUpload], { code: 'usage', status: 2 }],
  ['a missing file', ['nothing'], { code: 'local', status: 5, message: 'nothing to send' }],
  ['a file over the size limit', ['large'], { code: 'file_too_big', status: 1 }],
])('%s prints an error as JSON', async (_case, args, error) => {
  const { status, output, stderr } = await svc.run([...args, '--json'])
  expect(JSON.parse(output)).toMatchObject({ error })
  expect(status).toBe((error as { readonly status: number }).status)
  expect(stderr).not.toBe('')
})

test('an unreachable server has the error code network', async () => {
  const environment = { SVC_SERVER: `http://127.0.0.1:${String(await freePort())}` }
  const { status, output } = await svc.run(['small', '--json', '--retries', '0'], { environment })
  expect({ status, ...(JSON.parse(output) as object) }).toMatchObject({
    status: 4,
    error: { code: 'network', status: 4 },
  })
})

test('a missing passphrase and a wrong one have different error codes', async () => {
  const { output } = await svc.run(['-s', 'small', '-q', '-n', 'sealed'])
  const [link = ''] = output.split('#')
  expect(await svc.json(['get', link, '-o', 'opened/'])).toMatchObject({
    error: { code: 'locked', status: 6 },
  })
  const other = { environment: { SVC_PASSPHRASE: 'another' } }
  expect(await svc.json(['get', link, '-o', '-'], other)).toMatchObject({
    error: { code: 'wrong_passphrase', status: 6 },
  })
})

test('the sender of a stream gets the links, and no second JSON document when the stream fails', async () => {
  const proxy = await startFaultyProxy(server.url)
  proxy.fail({ kind: 'respond', status: 403, body: '{"message":"no"}' }, { when: /^POST \/stream/ })
  const { status, output } = await svc.run(['-S', 'small', '--json'], {
    environment: { SVC_SERVER: proxy.url },
  })
  expect(status).toBe(1)
  expect(JSON.parse(output)).toMatchObject({ stream: true, files: [{ name: 'small' }] })
  await proxy.close()
})

test('a configuration key prints one JSON value, set or unset', async () => {
  await svc.run(['config', 'oneshot', 'true'])
  expect(await svc.json(['config', 'oneshot'])).toBe(true)
  expect(await svc.run(['config', 'ttl', '--json'])).toMatchObject({ status: 1, output: 'null\n' })
})

test('commands that change something print one JSON value', async () => {
  const key = 'age1gde3ncmahlqd9gg50tanl99r960llztrhfapnmx853s4tjum03uqfssgdh'
  expect(await svc.json(['keys', 'add', 'bob', key])).toEqual({ bob: [key] })
  expect(await svc.json(['keys', 'rm', 'bob'])).toEqual({ removed: { name: 'bob' } })
  expect(await svc.json(['config', 'ttl', '2d'])).toBe('2d')
  expect(await svc.json(['config', 'removable', 'true'])).toBe(true)
  expect(await svc.json(['config', 'ttl', '--unset'])).toBe(null)
  expect(await svc.json(['config', 'removable', '--unset'])).toBe(null)
})

test('the private key of a request is a JSON value, too', async () => {
  const { id, identityFile } = (await svc.json(['request', 'new', 'Files'])) as Record<string, string>
  expect(await svc.json(['request', 'show', String(id), '--key'])).toEqual({
    id,
    identityFile,
    identity: expect.stringContaining('AGE-SECRET-KEY-') as string,
  })
})
