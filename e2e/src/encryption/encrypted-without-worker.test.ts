import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encrypted } from '../support/encryption/age.ts'
import { launch, visit } from '../support/browser.ts'
import {
  damaged,
  passphrase,
  uploadEncrypted,
  downloadLink,
  withPassphrase,
} from '../support/encryption/encrypted-upload.ts'
import { downloaded } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { silence, sound } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'

// Encrypted files in a browser without service workers.

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ PATH: '/send' }), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const uploadFiles = (files: Readonly<Record<string, Uint8Array>>) => uploadEncrypted(server.url, files)

const blocked = async (link: string, picker: string) => {
  const visited = await visit(browser, server.url, { serviceWorkers: 'block' })
  await visited.page.addInitScript(picker)
  await visited.page.goto(link)
  await downloadLink(visited.page).waitFor()
  return visited.page
}
const noPicker = 'delete globalThis.showSaveFilePicker'
/** A file in the origin's file system instead of one that a user selects. */
const ownPlace =
  'globalThis.showSaveFilePicker = async ({ suggestedName }) => ' +
  '(await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })'
const inPlace = (page: Page) =>
  page.evaluate(async () => {
    const names: Record<string, number> = {}
    const root = await navigator.storage.getDirectory()
    for await (const [name, handle] of root.entries())
      names[name] = (await (handle as FileSystemFileHandle).getFile()).size
    return names
  })

test('a file is written to the selected place, completely or not at all', async () => {
  const good = await blocked(
    withPassphrase(await uploadFiles({ 'a.bin': await encrypted(randomBytes(200_000), passphrase) })),
    ownPlace,
  )
  await downloadLink(good).click()
  await good.getByText('Decrypted and saved.').waitFor()
  expect(await inPlace(good)).toEqual({ 'a.bin': 200_000 })
  const bad = await blocked(withPassphrase(await uploadFiles({ 'a.bin': await damaged() })), ownPlace)
  await downloadLink(bad).click()
  await bad.getByText('The file was damaged or changed').waitFor()
  expect(await inPlace(bad)).toEqual({})
})

test('a file is saved from memory, completely or not at all', async () => {
  const content = randomBytes(200_000)
  const good = await blocked(
    withPassphrase(await uploadFiles({ 'a.bin': await encrypted(content, passphrase) })),
    noPicker,
  )
  const got = await downloaded(good, () => downloadLink(good).click())
  expect([got.name, got.bytes.equals(content)]).toEqual(['a.bin', true])
  const bad = await blocked(withPassphrase(await uploadFiles({ 'a.bin': await damaged() })), noPicker)
  const downloads: unknown[] = []
  bad.on('download', (download) => downloads.push(download))
  await downloadLink(bad).click()
  await bad.getByText('The file was damaged or changed').waitFor()
  expect(downloads).toEqual([])
  await checkState(bad, 'encrypted-no-worker')
})

test('audio is played from memory up to a size limit', async () => {
  const link = await uploadFiles({
    'a.wav': await encrypted(sound, passphrase),
    'z.wav': await encrypted(silence(8100), passphrase),
  })
  const { page } = await visit(browser, server.url, { serviceWorkers: 'block' })
  await page.goto(withPassphrase(link))
  await page.getByRole('link', { name: 'a.wav', exact: true }).click()
  const player = page.getByLabel('a.wav', { exact: true })
  await expect
    .poll(() => player.evaluate((element) => (element as HTMLMediaElement).duration), { timeout: 90_000 })
    .toBe(5)
  await page.keyboard.press('ArrowRight')
  await page.getByText('This file is too large to view here').waitFor()
})
