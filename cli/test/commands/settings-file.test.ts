import { chmod, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc()
  await writeFile(svc.path('a.txt'), 'a')
})
afterEach(() => svc.close())

const configFile = () => svc.path('.config/svc/config.toml')

describe('without a server', () => {
  test('a command in a pipe fails without a prompt', async () => {
    const { status, stderr } = await svc.run(['a.txt'])
    expect(status).toBe(2)
    expect(stderr).toContain('no server is configured')
  })

  test('each profile can configure a server', async () => {
    const other = await startFaultyProxy(server.url)
    await svc.run(['config', 'server', server.url])
    await svc.run(['config', '-P', 'work', 'server', other.url])
    expect((await svc.run(['-q', 'a.txt'])).output).toContain(server.url)
    expect((await svc.run(['-P', 'work', '-q', 'a.txt'])).output).toContain(other.url)
    expect((await svc.run(['-P', 'nobody', 'a.txt'])).stderr).toContain('no profile nobody')
    await other.close()
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

test('a damaged address book is reported in one line', async () => {
  await mkdir(svc.path('.config/svc'), { recursive: true })
  await writeFile(svc.path('.config/svc/keys.toml'), 'bob = [ "age1\n')
  const { status, stderr } = await svc.run(['keys'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/^svc: the address book \S+keys\.toml cannot be read: [^\n\\]+\n$/)
})
