import { readFile, stat, writeFile } from 'node:fs/promises'
import { createClient } from '@svc/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let other: FaultyProxy
let svc: Svc

const settings = {
  FEATURE_AUTHENTICATION: 'enabled',
  DEFAULT_ADMIN_LOGIN: 'root',
  DEFAULT_ADMIN_PASSWORD: 'root password',
}
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), settings)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc()
  other = await startFaultyProxy(server.url)
  await writeFile(svc.path('a.txt'), 'a')
})
afterEach(() => Promise.all([svc.close(), other.close()]))

const configFile = () => svc.path('.config/svc/config.toml')

/** A client with the admin's session, as a browser has one. */
async function browser({ url } = server): Promise<ReturnType<typeof createClient>> {
  const response = await fetch(`${url}/auth/local/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'root', password: 'root password' }),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const xsrf = cookies.find((cookie) => cookie.startsWith('svc-xsrf='))?.split('=')[1]
  return createClient({
    baseURL: url,
    headers: { cookie: cookies.join('; ') },
    xsrfToken: () => xsrf,
  })
}

test('the browser approves a login; uploads then belong to the user, and other servers receive no token', async () => {
  const running = svc.start(['login', '--server', server.url, '--no-browser'])
  const code = await until('the code is shown', () => /enter the code (\S+):/.exec(running.stderr())?.[1])
  await (await browser()).approveCliLogin({ code })
  expect(await running.ended).toMatchObject({ status: 0 })
  expect((await stat(configFile())).mode & 0o777).toBe(0o600)

  expect(await svc.json(['whoami'])).toMatchObject({ server: server.url, user: 'local:root' })
  const { id } = (await svc.json(['a.txt'])) as { id: string }
  expect((await (await browser()).myUploads()).results.map((upload) => upload.id)).toContain(id)

  const uploadRequest = other.seen(/^POST \/upload/)
  await svc.run(['a.txt', '--server', other.url])
  expect(await uploadRequest).not.toHaveProperty('x-svctoken')
  const fetched = other.seen(/^GET \/upload/)
  await svc.run(['info', `${other.url}/#/?id=${id}`])
  expect(await fetched).not.toHaveProperty('x-svctoken')

  await svc.run(['logout'])
  expect(await readFile(configFile(), 'utf8')).not.toContain('svct_')
  expect(await svc.json(['whoami'])).toMatchObject({ user: null })
})

test('whoami works on a server that requires a password and comments for all uploads', async () => {
  const strict = { ...settings, FEATURE_PASSWORD: 'forced', FEATURE_COMMENTS: 'forced' }
  const strictServer = await startSvcd(await emptyDirectory(), strict)
  try {
    const { token } = await (await browser(strictServer)).createMyToken()
    const environment = { SVC_SERVER: strictServer.url, SVC_TOKEN: token }
    expect(await svc.json(['whoami'], { environment })).toMatchObject({ user: 'local:root' })
  } finally {
    strictServer.kill('SIGKILL')
    await strictServer.ended
  }
})

test('a user chooses the end of the link, with which the files are fetched', async () => {
  const token = (await (await browser()).createMyToken()).token
  const environment = { SVC_SERVER: server.url, SVC_TOKEN: token }
  const run = (...line: string[]) => svc.run(line, { environment })
  const link = `${server.url}/s/holiday-2026`
  expect((await run('--alias', 'holiday-2026', 'a.txt')).output.trim()).toBe(link)
  expect(await run('get', '--output', 'b.txt', link)).toMatchObject({ status: 0 })
  expect(await readFile(svc.path('b.txt'), 'utf8')).toBe('a')
  const json = (await svc.json(['--alias', 'holiday-2027', 'a.txt'], { environment })) as object
  expect(json).toMatchObject({ alias: 'holiday-2027', url: `${server.url}/s/holiday-2027` })
  expect((await run('--alias', 'holiday-2026', 'a.txt')).stderr).toContain('this alias is taken')
  expect(
    (await svc.run(['--alias', 'holiday-2028', 'a.txt'], { environment: { SVC_SERVER: server.url } })).stderr,
  ).toContain('sign in first')
  expect(await run('rm', '--yes', link)).toMatchObject({ status: 0 })
})
