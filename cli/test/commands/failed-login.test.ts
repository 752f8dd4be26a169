import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { createServers } from '../../../sdk/test/served.ts'
import { emptyDirectory, startSvcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

/** Logins that fail, and passwords beside the tokens of this computer. */
const { served, close } = createServers()
let svc: Svc

beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => Promise.all([svc.close(), close()]))

const configFile = () => svc.path('.config/svc/config.toml')

/** A server whose logins lead to an address, and are not approved. */
const loginServer = (verifyURL: string) =>
  served((request, response) => {
    if (request.url?.endsWith('/init') === true)
      response.end(
        JSON.stringify({ code: 'ABCD-EFGH', secret: 's'.repeat(32), verifyURL, interval: 1, expiresIn: 1 }),
      )
    else response.writeHead(404).end(JSON.stringify({ code: 'login_not_found', message: 'unknown' }))
  })

testWith(['python3'], 'a server can make a login open nothing but web pages', async () => {
  await writeFile(svc.path('opener'), '#!/bin/sh\necho "$1" > opened\n', { mode: 0o755 })
  for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'ssh://-oProxyCommand=x/', 'nothing']) {
    const server = await loginServer(address)
    const { status, screen } = await svcAtTerminal(svc, ['login', '--server', server], {
      environment: { BROWSER: svc.path('opener') },
    })
    expect({ status, screen }).toEqual({
      status: 1,
      screen: expect.stringContaining(`wants to open ${address}, which is not a web page`) as string,
    })
    expect(screen).not.toContain('open this page')
    expect(existsSync(svc.path('opened'))).toBe(false)
  }
})

testWith(['python3'], 'a login that fails leaves the configuration as it was', async () => {
  const server = await loginServer('https://svc.example/#/cli-auth')
  const environment = { BROWSER: 'true' }
  const asked = await svcAtTerminal(svc, ['login', '-P', 'new'], {
    environment,
    answers: [['Server: ', `${server}\r`]],
  })
  expect(asked).toMatchObject({ status: 1, screen: expect.stringContaining('not approved') as string })
  expect(existsSync(configFile())).toBe(false)
  await svc.run(['config', 'server', 'https://svc.example'])
  const before = await readFile(configFile(), 'utf8')
  expect((await svc.run(['login', '-P', 'new', '--server', server])).status).toBe(1)
  expect((await svc.run(['login', '--server', server])).status).toBe(1)
  expect(await readFile(configFile(), 'utf8')).toBe(before)
})

test('a given password is checked, also for an upload of this computer', async () => {
  const server = await startSvcd(await emptyDirectory())
  try {
    const environment = { SVC_SERVER: server.url }
    await writeFile(svc.path('a'), 'a')
    const { id } = (await svc.json(['-p', 'secret', 'a'], { environment })) as { readonly id: string }
    const get = (...args: string[]) => svc.run(['get', id, '-o', '-', ...args], { environment })
    expect(await get()).toMatchObject({ status: 0, output: 'a' })
    expect(await get('-p', 'wrong')).toMatchObject({ status: 1, output: '' })
    expect((await get('-p', 'wrong')).stderr).toContain('wrong password')
    expect(await get('-p', 'secret')).toMatchObject({ status: 0, output: 'a' })
    expect((await svc.run(['info', id, '-p', 'wrong'], { environment })).status).toBe(1)
    expect((await svc.run(['rm', id, '-p', 'wrong'], { environment })).status).toBe(1)
    expect((await svc.run(['rm', id, '-p', 'secret'], { environment })).status).toBe(0)
  } finally {
    server.kill('SIGKILL')
    await server.ended
  }
})
