import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { files, flip, listedNames, openOptions, opened, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let folder: string

beforeAll(async () => {
  ;[server, browser, folder] = await Promise.all([
    startServer(),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-e2e-changed-')),
  ])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

const change = (file: string) => appendFile(file, 'more')
const remove = (file: string) => rm(file)

test.for([
  { bytes: 3_000_000, happens: change, encrypted: false },
  { bytes: 3_000_000, happens: remove, encrypted: false },
  { bytes: 20, happens: change, encrypted: false },
  { bytes: 3_000_000, happens: change, encrypted: true },
  { bytes: 20, happens: remove, encrypted: true },
])(
  'a file of $bytes bytes that changed or vanished after it was chosen is reported at once (encrypted: $encrypted)',
  async ({ bytes, happens, encrypted }) => {
    const { page, pageErrors } = await visit(browser, server.url)
    const removed = path.join(folder, 'gone.bin')
    const good = path.join(folder, 'good.bin')
    for (const file of [removed, good]) await writeFile(file, randomBytes(bytes))
    await page.goto(server.url)
    await opened(page)
    await page.setInputFiles(files, [removed, good])
    if (encrypted) {
      await openOptions(page)
      await flip(page, 'End-to-end encryption')
    }
    await happens(removed)
    await sendButton(page).click()
    await page.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
    await page
      .getByRole('alert')
      .getByText('gone.bin: The file cannot be read any more: it was changed, moved or deleted')
      .waitFor()
    await checkState(page, 'file-changed')
    expect(pageErrors).toEqual([])
  },
)

test('an unreadable file of a dropped folder does not affect the others, and its folder is named', async () => {
  const trip = path.join(folder, 'trip')
  await mkdir(trip)
  const alone = path.join(folder, 'alone.txt')
  for (const file of [path.join(trip, 'good.txt'), alone]) await writeFile(file, 'good')
  // A name in Latin-1: browsers cannot find the file by its decoded name.
  await writeFile(Buffer.concat([Buffer.from(`${trip}/caf`), Buffer.from([0xe9])]), 'coffee')
  const { page, context, pageErrors } = await visit(browser, server.url)
  await page.goto(server.url)
  await opened(page)
  const session = await context.newCDPSession(page)
  const data = { items: [], files: [trip, alone], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
  // Chromium knows only the name of the folder.
  await page.getByText(/^These files could not be read and were not added: .*trip\//).waitFor()
  await expect
    .poll(async () => (await listedNames(page)).toSorted())
    .toEqual(['alone.txt', 'good.txt', 'trip'])
  await checkState(page, 'unreadable')
  expect(pageErrors).toEqual([])
})
