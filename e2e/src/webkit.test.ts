import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@svc/sdk'
import { By, Key } from 'selenium-webdriver'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { admin, withAccounts } from './support/accounts.ts'
import { startConnectionProxy, type ConnectionProxy } from './support/services/connection-proxy.ts'
import { startServer, type StartedServer } from './support/server.ts'
import { launchWebKit, type WebKit } from './support/webkit.ts'

let server: StartedServer
let proxy: ConnectionProxy
let webkit: WebKit

beforeAll(async () => {
  ;[server, webkit] = await Promise.all([startServer(withAccounts), launchWebKit()])
  proxy = await startConnectionProxy(server.url)
})
afterAll(async () => {
  await webkit.close()
  await proxy.stop()
  await server.stop()
})

const uploadButton = /^Upload \d+ files?/

async function choose(url: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-picked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const paths = Object.keys(files).map((name) => path.join(folder, name))
  await Promise.all(Object.entries(files).map(([name, bytes]) => writeFile(path.join(folder, name), bytes)))
  await webkit.driver.get(`${url}/`)
  await webkit.find('h1', 'Share files with a link')
  await webkit.driver.findElement(By.css('[data-testid=files]')).sendKeys(paths.join('\n'))
  await webkit.find('button', uploadButton)
}

/** @returns the link to share, after the upload */
async function sentLink(): Promise<string> {
  await webkit.find('h1, h2', 'Ready to share')
  return (await webkit.find('input', 'Share this link')).getProperty('value')
}

const open = async (link: string): Promise<void> => {
  await webkit.driver.get('about:blank')
  await webkit.driver.get(link)
}

test('files are uploaded, shown and downloaded unchanged', async () => {
  const bytes = randomBytes(3_000_000)
  await choose(server.url, { 'größe 🎉.bin': bytes, 'code.ts': Buffer.from('export const total = 42') })
  await webkit.click('button', uploadButton)
  await open(await sentLink())
  await webkit.find('h1', '2 files for you')
  await webkit.click('a', 'Download größe 🎉.bin')
  expect((await webkit.downloaded('größe 🎉.bin', bytes.length)).equals(bytes)).toBe(true)
  await webkit.click('a', 'code.ts')
  await webkit.find('[data-testid=text-viewer] *', 'export const total = 42')
})

test('one-shot files and passwords work', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ oneShot: true, password: 'päss' })
  await sdk.addFile(upload.id, new Blob(['once']), { fileName: 'once.txt', uploadToken: upload.uploadToken })
  await open(sdk.pageURL(upload))
  const password = await webkit.find('input', 'Password')
  await password.sendKeys('wrong', Key.ENTER)
  await webkit.find('p', 'Wrong password.')
  await password.clear()
  await password.sendKeys('päss', Key.ENTER)
  await webkit.click('a', 'Download')
  await webkit.find('[role=dialog] h2', 'This is the only download')
  await webkit.click('[role=dialog] button', 'Download now')
  expect((await webkit.downloaded('once.txt', 4)).toString()).toBe('once')
  await webkit.find('h1', 'You have it')
})

test('a file is encrypted, resumes after a cut, and is decrypted into a download', async () => {
  const bytes = randomBytes(2_000_000)
  await choose(proxy.url, { 'sealed.bin': bytes })
  await webkit.click('button', /^Options/)
  await webkit.click('[role=switch]', 'End-to-end encryption')
  const stalled = proxy.stall(1_000_000)
  await webkit.click('button', uploadButton)
  await stalled
  proxy.cut()
  await webkit.find('p', /^No connection\. The upload resumes where it stopped/)
  proxy.restore()
  await open(await sentLink())
  await webkit.click('a', 'Download')
  await webkit.find('p', 'Decrypted and saved.')
  expect((await webkit.downloaded('sealed.bin', bytes.length)).equals(bytes)).toBe(true)
})

test('an admin logs in and sees the stats', async () => {
  await webkit.driver.get(`${server.url}/#/login`)
  await (await webkit.find('input', 'Username')).sendKeys(admin.login)
  await (await webkit.find('input', 'Password')).sendKeys(admin.password, Key.ENTER)
  await webkit.find('button', new RegExp(`^Account:\\s+${admin.login}$`))
  await webkit.driver.get(`${server.url}/#/admin/stats`)
  await webkit.find('.figure', /./)
})
