import { hash } from 'node:crypto'
import { createEnvelope, encryptStream } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, visit } from './support/browser.ts'
import type * as EncryptionPage from './support/encryption-page.ts'
import { startEncryptionSite, type EncryptionSite } from './support/encryption-site.ts'

declare const encryption: typeof EncryptionPage

const chunk = 65_536
const passphrase = 'correct horse é'

let browser: Browser
let site: EncryptionSite
let page: Page
let offences: readonly string[]

beforeAll(async () => {
  site = await startEncryptionSite()
  browser = await launch()
  const visited = await visit(browser, site.url)
  page = visited.page
  offences = visited.offences
  await page.goto(site.url)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** A file encrypted in Node, in base64. */
async function encryptedElsewhere(content: Uint8Array): Promise<Buffer> {
  const engine = createNodeEngine()
  const envelope = await createEnvelope({ passphrase, workFactor: 12 }, engine)
  const source = new Blob([new Uint8Array(content)]).stream()
  const pieces = await Array.fromAsync(encryptStream(source, { envelope, engine }))
  await engine.close()
  return Buffer.concat(pieces)
}
const openInPage = (file: Buffer, secret: string, native: boolean) =>
  page.evaluate(([bytes, key, own]) => encryption.open(bytes, key, own), [
    file.toString('base64'),
    secret,
    native,
  ] as const)

describe.for([
  ['by the browser itself', true],
  ['by web workers', false],
] as const)('a content encrypted %s', ([, native]) => {
  test.for([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 100 * chunk + 1])(
    'of %i bytes is the same afterwards',
    async (size) => {
      const result = await page.evaluate((trial) => encryption.tryOut(trial), { size, native })
      expect(result.after).toBe(result.before)
      expect(result.encryptedBytes).toBe(result.toldBytes)
      expect(offences).toEqual([])
    },
  )

  test('opens when it comes from elsewhere', async () => {
    const content = Buffer.alloc(3 * chunk + 5, 'ab')
    const opened = await openInPage(await encryptedElsewhere(content), passphrase, native)
    expect(opened).toBe(hash('sha256', content))
  })

  test('is refused when it is damaged, or the passphrase is another', async () => {
    const file = await encryptedElsewhere(Buffer.alloc(3 * chunk))
    expect(await openInPage(file, 'wrong', native)).toBe('wrong_passphrase')
    file.writeUInt8(file.readUInt8(file.length - 20) ^ 1, file.length - 20)
    expect(await openInPage(file, passphrase, native)).toBe('damaged_chunk')
  })
})
