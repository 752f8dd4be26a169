import { chmod, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { createClient } from '@svc/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

describe('without a server', () => {
  test('a command in a pipe fails without a prompt', async () => {
    const { status, stderr } = await svc.run(['a.txt'])
    expect(status).toBe(2)
    expect(stderr).toContain('no server is configured')
  })

  test('each profile can configure a server', async () => {
    await svc.run(['config', 'server', server.url])
    await svc.run(['config', '-P', 'work', 'server', other.url])
    expect((await svc.run(['-q', 'a.txt'])).output).toContain(server.url)
    expect((await svc.run(['-P', 'work', '-q', 'a.txt'])).output).toContain(other.url)
    expect((await svc.run(['-P', 'nobody', 'a.txt'])).stderr).toContain('no profile nobody')
  })
})

test.each([
  ['profile = 3\nserver = "x"', 'unknown key server; profile must be a name'],
  ['[profiles.default]\ntll = "1d"', 'profiles.default.tll is an unknown key'],
  ['[profiles.default]\nttl = "soon"', 'profiles.default.ttl must be a duration'],
  ['[profiles', 'is not valid TOML'],
])('an invalid configuration is reported: %j', async (text, message) => {
  await mkdir(svc.path('.config/svc'), { recursive: true })
  await writeFile(configFile(), text)
  const { status, stderr } = await svc.run(['a.txt'])
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

test('a configuration behind a symbolic link is changed at its target', async () => {
  const target = svc.path('kept.toml')
  await writeFile(target, '[profiles.default]\nttl = "1h"\n')
  await symlink(target, svc.path('linked.toml'))
  const environment = { SVC_CONFIG: svc.path('linked.toml') }
  await svc.run(['config', 'ttl', '2h'], { environment })
  expect(await readlink(svc.path('linked.toml'))).toBe(target)
  expect(await readFile(target, 'utf8')).toContain('ttl = "2h"')
})

test('a configuration that is not a file, or that others can read, is reported', async () => {
  await mkdir(configFile(), { recursive: true })
  expect(await svc.run(['a.txt'])).toMatchObject({ status: 2 })
  const token = 'svct_000000000000000000000000000000'
  const wrong = await svc.run(['a.txt'], {
    environment: { SVC_CONFIG: svc.path('none'), SVC_SERVER: server.url, SVC_TOKEN: token },
  })
  expect(wrong).toMatchObject({ status: 2 })
  await writeFile(svc.path('open.toml'), `[profiles.default]\nserver = "${server.url}"\ntoken = "x"\n`)
  await chmod(svc.path('open.toml'), 0o644)
  const { stderr } = await svc.run(['config'], { environment: { SVC_CONFIG: svc.path('open.toml') } })
  expect(stderr).toContain('others can read the token')
})

test('uploads of this client can be listed and removed', async () => {
  const environment = { SVC_SERVER: server.url }
  const { id, url } = (await svc.json(['a.txt'], { environment })) as { id: string; url: string }
  expect(await svc.json(['ls'])).toMatchObject([{ id, url, files: 1, size: 1, names: ['a.txt'] }])
  expect((await svc.run(['info', url])).output).toContain('a.txt')
  expect(await svc.run(['rm', url])).toMatchObject({ status: 0 })
  await expect(server.client.upload(id)).rejects.toMatchObject({ status: 404 })
  expect(await svc.json(['ls'])).toEqual([])
})

test('a mistyped option or command gets a suggestion', async () => {
  expect((await svc.run(['--oneshoot', 'a.txt'])).stderr).toContain('did you mean --oneshot?')
  expect((await svc.run(['whomai'])).stderr).toContain('did you mean svc whoami?')
  expect(await svc.run(['ls', 'too', 'much'])).toMatchObject({ status: 2 })
})
