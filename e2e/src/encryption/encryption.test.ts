import { hash } from 'node:crypto'
import { createFileHeader, encryptStream } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import type * as EncryptionPage from '../support/encryption/encryption-page.ts'
import { startPageServer, type PageServer } from '../support/encryption/page-server.ts'

declare const encryption: typeof EncryptionPage

const chunk = 65_536
const passphrase = 'correct horse é'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** A file encrypted in Node, in base64. */
async function encryptedElsewhere(content: Uint8Array): Promise<Buffer> {
  const engine = createNodeEngine()
  const header = await createFileHeader({ passphrase, workFactor: 12 }, engine)
  const source = new Blob([new Uint8Array(content)]).stream()
  const pieces = await Array.fromAsync(encryptStream(source, { header, engine }))
  await engine.close()
  return Buffer.concat(pieces)
}

describe.for([
  ['in WebAssembly', true],
  ['in JavaScript, where WebAssembly is not allowed,', false],
] as const)('a content encrypted %s', ([, mayCompile]) => {
  let pageServer: PageServer
  let page: Page
  let pageErrors: readonly string[]
  beforeAll(async () => {
    pageServer = await startPageServer(mayCompile)
    const visited = await visit(browser, pageServer.url)
    page = visited.page
    pageErrors = visited.pageErrors
    await page.goto(pageServer.url)
  })
  afterAll(() => pageServer.stop())

  const openInPage = (file: Buffer, secret: string) =>
    page.evaluate(([bytes, key]) => encryption.open(bytes, key), [file.toString('base64'), secret] as const)

  test.for([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 100 * chunk + 1])(
    'of %i bytes is unchanged after decryption',
    async (size) => {
      const result = await page.evaluate((trial) => encryption.runTrial(trial), { size })
      expect(result.after).toBe(result.before)
      expect(result.encryptedBytes).toBe(result.declaredBytes)
      if (mayCompile) expect(pageErrors).toEqual([])
    },
  )

  test('is processed as the policy of the page allows', async () => {
    const started = page.waitForEvent('worker')
    await page.evaluate(() =>
      Object.assign(globalThis, { another: new Worker('/worker.ts', { type: 'module' }) }),
    )
    const compiles = (await started).evaluate(() => {
      try {
        return (
          new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof WebAssembly.Module
        )
      } catch {
        return false
      }
    })
    expect(await compiles).toBe(mayCompile)
  })

  test('opens when it comes from elsewhere', async () => {
    const content = Buffer.alloc(3 * chunk + 5, 'ab')
    expect(await openInPage(await encryptedElsewhere(content), passphrase)).toBe(hash('sha256', content))
  })

  test('is rejected when it is damaged, or the passphrase is wrong', async () => {
    const file = await encryptedElsewhere(Buffer.alloc(3 * chunk))
    expect(await openInPage(file, 'wrong')).toBe('wrong_passphrase')
    file.writeUInt8(file.readUInt8(file.length - 20) ^ 1, file.length - 20)
    expect(await openInPage(file, passphrase)).toBe('damaged_chunk')
  })
})
