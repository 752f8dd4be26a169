import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { selfSigned } from '../support/servers/self-signed.ts'
import { emptyCheckout, nodeForEveryone, setUp, setUpProcess } from './set-up.ts'

let directory: string
let checkout: string
beforeAll(async () => {
  directory = await temporaryDirectory()
  chmodSync(directory, 0o755)
  checkout = emptyCheckout(join(directory, 'checkout'))
})

/** The only line that says what is missing, without what is said before it. */
const refusal = (output: string) => output.trimEnd().split('\n').at(-1)

test('without a network it ends with a line that names it', async () => {
  const { status, output } = await setUp(checkout)
  expect(refusal(output)).toMatch(
    /^Svc cannot be set up: npm cannot reach its package registry \(ECONNREFUSED\)/,
  )
  expect(output).not.toMatch(/[1-9]\d? %/)
  expect(status).toBe(1)
})

describeUnless(missingPrograms('openssl'), 'a proxy with a certificate that the machine trusts', () => {
  const registry = createServer()
  let cert: string
  let url: string
  beforeAll(async () => {
    const names = selfSigned(directory, { name: 'registry', holder: 'IP:127.0.0.1', days: 2 })
    cert = names.cert
    registry.setSecureContext({ key: readFileSync(names.key), cert: readFileSync(cert) })
    registry.on('request', (_request, response: ServerResponse) => void response.writeHead(404).end())
    await once(registry.listen(0, '127.0.0.1'), 'listening')
    url = `https://127.0.0.1:${String((registry.address() as AddressInfo).port)}/`
  })
  afterAll(() => {
    registry.close()
    registry.closeAllConnections()
  })

  test('an untrusted certificate is rejected', async () => {
    const { output } = await setUp(checkout, { env: { npm_config_registry: url } })
    expect(refusal(output)).toMatch(/does not trust the certificate .* \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
  })

  test('one of the system is trusted', async () => {
    const { output } = await setUp(checkout, { env: { npm_config_registry: url, SSL_CERT_FILE: cert } })
    expect(refusal(output)).toMatch(/404/)
  })

  const list = '/etc/ssl/certs/ca-certificates.crt'
  describeUnless(
    mountSkipReason ?? (existsSync(list) ? null : 'certificates of the system'),
    'as root',
    () => {
      test('one of the system is trusted by a Node that does not read them by itself', async () => {
        const { output } = await setUp(checkout, {
          mounts: `mount --bind ${cert} ${list}`,
          env: { npm_config_registry: url, NODE_USE_SYSTEM_CA: '0' },
        })
        expect(refusal(output)).toMatch(/404/)
      })
    },
  )
})

test('an npm from before lock files is rejected by its version', async () => {
  const { output } = await setUp(checkout, { env: { npm_config_user_agent: 'npm/6.14.18 node/v26.10.0' } })
  expect(refusal(output)).toBe(
    'Svc cannot be set up: npm 6 is too old: install npm 7 or newer, which comes with Node 16 or newer.',
  )
})

test('on a machine without npm it prints how to get it', async () => {
  const { output } = await setUp(checkout, { env: { PATH: directory } })
  expect(refusal(output)).toBe(
    'Svc cannot be set up: npm is missing: install it (Debian, Ubuntu: apt-get install npm).',
  )
})

test('of two parallel set-ups one waits for the other, with any result', async () => {
  const registry = createHttpServer((request) => void request.resume())
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}/`
  const requested = once(registry, 'request')
  const first = setUpProcess(checkout, { env: { npm_config_registry: url } })
  await requested

  const second = setUpProcess(checkout, {})
  const waiting = `Waiting for another set-up of this checkout (process ${String(first.pid)}) …`
  for await (const line of createInterface(second.stderr)) {
    expect(line).toBe(waiting)
    break
  }
  first.kill('SIGKILL')
  registry.close()
  registry.closeAllConnections()
  expect(await text(second.stderr)).toContain('(ECONNREFUSED)')
})

describeUnless(mountSkipReason, 'a folder that nothing can be installed in', () => {
  test('a read-only file system is named', async () => {
    const mounts = `mount --bind ${checkout} ${checkout} && mount -o remount,bind,ro ${checkout}`
    const { status, output } = await setUp(checkout, { mounts })
    expect(output).toBe(
      `Svc cannot be set up: ${checkout} is on a read-only file system: copy the checkout to a folder that can be written.\n`,
    )
    expect(status).toBe(1)
  })

  test('a folder of another user is named', async () => {
    const { status, output } = await setUp(checkout, { node: nodeForEveryone(directory), uid: 65_534 })
    expect(output).toBe(
      `Svc cannot be set up: ${checkout} cannot be written by this user: change its owner (chown), or clone the project again as this user.\n`,
    )
    expect(status).toBe(1)
  })

  test('a disk with too little space is named before anything is installed', async () => {
    const copy = `${checkout}-disk`
    const mounts = `mkdir -p ${copy}; mount -t tmpfs -o size=100m none ${copy}; cp -r ${checkout}/. ${copy}; cd ${copy}; mount --bind ${copy} ${checkout}`
    const { status, output } = await setUp(checkout, { mounts })
    expect(output).toBe(
      `Svc cannot be set up: ${checkout} has 0.1 GB of free space, and 2.2 GB are needed: 1.2 GB for the set-up, and 1.0 GB that the server keeps free (MinFreeSpaceStr).\n`,
    )
    expect(status).toBe(1)
  })

  test('a file system that runs no programs is named before anything is installed', async () => {
    const mounts = `mount --bind ${checkout} ${checkout} && mount -o remount,bind,noexec ${checkout}`
    const { status, output } = await setUp(checkout, { mounts })
    expect(output).toBe(
      `Svc cannot be set up: ${checkout} is on a file system that runs no programs (mounted with noexec): move the checkout to another one, or mount it with exec.\n`,
    )
    expect(status).toBe(1)
  })
})
