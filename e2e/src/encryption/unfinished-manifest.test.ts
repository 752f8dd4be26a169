import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { chooseEncrypted, refuseManifest, textFile } from '../support/encryption/encrypted-sending.ts'
import { installSvc, type Svc } from '../support/encryption/svc.ts'
import {
  closeWhileSending,
  files as fileInput,
  flip,
  linkToManage,
  openOptions,
  opened,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { checkState, pageChecker } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

// An encrypted upload whose page was closed before the manifest was sent.

let server: StartedServer
let browser: Browser
let proxy: ConnectionProxy
let svc: Svc

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  ;[proxy, svc] = await Promise.all([startConnectionProxy(server.url), installSvc(server.url)])
})
afterEach(() => {
  proxy.restore()
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await Promise.all([server.stop(), svc.remove()])
})

test('an upload whose page was closed gets its manifest when it is resumed', async () => {
  await writeFile(path.join(server.folder, 'big.bin'), randomBytes(20_000_000))
  await writeFile(path.join(server.folder, 'a.txt'), 'content of a')
  const { page, context } = await visit(browser, proxy.url)
  await page.goto(`${proxy.url}/`)
  await opened(page)
  await page.setInputFiles(fileInput, [
    path.join(server.folder, 'a.txt'),
    path.join(server.folder, 'big.bin'),
  ])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  const stalled = proxy.stall(12_000_000)
  await sendButton(page).click()
  await stalled
  const link = await shareLink(page)
  await page.getByRole('switch', { name: 'Keep the passphrase on this device' }).click()
  await closeWhileSending(page)
  proxy.cut()
  proxy.restore()

  const again = await context.newPage()
  await again.goto(`${proxy.url}/`)
  await again.getByText('Incomplete: 1 of 2 files uploaded').waitFor()
  await again.getByRole('link', { name: 'Resume upload' }).click()
  await again.getByText('Encrypted files start from the beginning.').waitFor()
  await checkState(again, 'resumed-manifest')
  await again.setInputFiles(fileInput, path.join(server.folder, 'big.bin'))
  // The content of the other file is known since the first page.
  await again.getByText('Recipients cannot use files that are added now').waitFor()
  const got = await svc.get(link)
  expect(got).toMatchObject({ status: 0, names: ['a.txt', 'big.bin'] })
  expect((await got.read('big.bin')).length).toBe(20_000_000)
  expect(
    await again.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('content'))),
  ).toEqual([])
})

test('an upload whose files have arrived without the manifest is finished later, also by another device', async () => {
  const { page, context } = await visit(browser, server.url)
  await refuseManifest(page)
  await chooseEncrypted(page, server.url, [textFile('a.txt'), textFile('b.txt')])
  await sendButton(page).click()
  await page.getByRole('alert').filter({ hasText: 'Recipients cannot use the files yet' }).waitFor()
  const toManage = await linkToManage(page)
  const link = await shareLink(page)
  await page.close()

  const other = await visit(browser, server.url)
  await other.page.goto(toManage)
  const adding = other.page.getByRole('region', { name: 'Add files' })
  await adding.getByText('Choose them again, or delete them').waitFor()
  await expect.poll(() => adding.getByRole('listitem').allTextContents()).toEqual(['a.txt', 'b.txt'])
  await other.page.close()

  const again = await context.newPage()
  await again.goto(`${server.url}/`)
  await again.getByText('Incomplete: recipients cannot use the files yet').waitFor()
  await again.goto(toManage)
  await again.getByRole('button', { name: 'Finish upload' }).waitFor()
  const { checkViews, problems } = pageChecker(again, 'manifest')
  await checkViews('unfinished')
  await again.getByRole('button', { name: 'Finish upload' }).click()
  await again.getByText('Recipients cannot use files that are added now').waitFor()
  expect(await svc.get(link)).toMatchObject({ status: 0, names: ['a.txt', 'b.txt'] })
  expect(problems).toEqual([])
})
