import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { interruptUpload } from '../support/interrupted-upload.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { files, flip, openOptions, opened } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
let proxy: ConnectionProxy

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  proxy = await startConnectionProxy(server.url)
  folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-continuing-'))
  await writeFile(path.join(folder, 'big.bin'), bytes)
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await server.stop()
  await rm(folder, { recursive: true })
})

const bytes = randomBytes(20_000_000)
let folder: string
/** A file on the disk, which keeps its date. */
const choose = (page: Page) => page.setInputFiles(files, path.join(folder, 'big.bin'))

/** The page is closed in the middle of an upload. */
async function interrupt(page: Page, encrypted: boolean): Promise<string> {
  await page.goto(`${proxy.url}/`)
  await opened(page)
  await choose(page)
  if (encrypted) {
    await openOptions(page)
    await flip(page, 'End-to-end encryption')
  }
  return interruptUpload(page, proxy, 12_000_000)
}

const statusesOf = async (link: string) => {
  const { files } = await createClient({ baseURL: server.url }).upload(uploadIdOf(link))
  return files
    .filter(({ status }) => status !== 'removed' && status !== 'deleted')
    .map(({ status }) => status)
}

test('an upload whose page was closed says so to both sides, and continues where it stopped', async () => {
  const { page, context } = await visit(browser, proxy.url)
  const link = await interrupt(page, false)
  const recipient = await visit(browser, server.url)
  await recipient.page.goto(link.replace(proxy.url, server.url))
  await recipient.page.getByText('Upload interrupted.').waitFor()
  await checkState(recipient.page, 'interrupted-received')

  const again = await context.newPage()
  await again.goto(`${proxy.url}/`)
  await again.getByText('Incomplete: 0 of 1 files uploaded').waitFor()
  await checkState(again, 'interrupted-sent')
  await again.getByRole('link', { name: 'Resume upload' }).click()
  await again.getByText('This upload is incomplete').waitFor()
  await checkState(again, 'interrupted-own')
  await choose(again)
  await again.getByRole('link', { name: 'Download', exact: true }).waitFor()
  const offsets = [
    ...proxy
      .recorded()
      .toString('latin1')
      .matchAll(/^upload-offset: (\d+)\r$/gim),
  ]
  expect(Math.max(...offsets.map(([, offset]) => Number(offset)))).toBeGreaterThan(1_000_000)
  expect(await statusesOf(link)).toEqual(['uploaded'])
  await recipient.page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  expect([...recipient.pageErrors]).toEqual([])
})

test('an encrypted upload whose page was closed starts its file again', async () => {
  const { page, context } = await visit(browser, proxy.url)
  const link = await interrupt(page, true)
  const again = await context.newPage()
  await again.goto(`${proxy.url}/`)
  await again.getByRole('link', { name: 'Resume upload' }).click()
  await opened(again)
  await again.getByText('Encrypted files start from the beginning.').waitFor()
  await choose(again)
  const dialog = again.getByRole('dialog', { name: 'Passphrase' })
  await dialog
    .getByLabel('Passphrase', { exact: true })
    .fill(decodeURIComponent(link.split('#key=')[1] ?? ''))
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await again.getByRole('link', { name: 'Download', exact: true }).waitFor()
  // With the manifest.
  await again.getByText('Recipients cannot use files that are added now').waitFor()
  expect(await statusesOf(link)).toEqual(['uploaded', 'uploaded'])
})
