import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { startTestServer, type TestServer } from '../../../server/test/support/servers/test-server.ts'
import { chunk, contentOf, storeEncrypted } from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'

const run = promisify(execFile)

/** rage is the implementation of age in Rust. Debian's package of this name is another program. */
const isInstalled = /^rage \d/.test(spawnSync('rage', ['--version'], { encoding: 'utf8' }).stdout)
const skipReason = isInstalled ? null : 'rage (cargo install rage)'

describeUnless(skipReason, 'rage', () => {
  let server: TestServer
  let svc: Svc
  let recipient: string
  beforeAll(async () => {
    server = await startTestServer()
    svc = await installSvc(server.url)
    const { stderr } = await run('rage-keygen', ['-o', svc.path('key.txt')])
    recipient = /age1\w+/.exec(stderr)?.[0] ?? ''
  })
  afterAll(() => Promise.all([server.close(), svc.close()]))

  test.each([1, chunk, 3 * chunk + 1])('decrypts %i bytes that svc has encrypted', async (size) => {
    const content = randomBytes(size)
    await writeFile(svc.path('plain'), content)
    const { output } = await svc.run(['-q', 'plain', '--recipient', recipient])
    await svc.run(['get', output.trim(), '--no-decrypt', '-o', `${String(size)}.age`])
    const args = ['-d', '-i', svc.path('key.txt'), '-o', svc.path(`${String(size)}.back`)]
    await run('rage', [...args, svc.path(`${String(size)}.age`)])
    expect(Buffer.compare(await contentOf(svc, `${String(size)}.back`), content)).toBe(0)
  })

  test.each([
    ['bytes', []],
    ['text with armor', ['--armor']],
  ])('encrypts as %s, and svc decrypts', async (name, options) => {
    const content = randomBytes(3 * chunk + 1)
    await writeFile(svc.path('plain'), content)
    await run('rage', [...options, '-r', recipient, '-o', svc.path(`${name}.age`), svc.path('plain')])
    const { id } = await storeEncrypted(server, await contentOf(svc, `${name}.age`))
    expect(await svc.run(['get', id, '-i', 'key.txt', '-o', name])).toMatchObject({ status: 0 })
    expect(Buffer.compare(await contentOf(svc, name), content)).toBe(0)
  })
})
