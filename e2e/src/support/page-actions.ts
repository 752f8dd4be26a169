import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Download, Locator, Page } from 'playwright-core'

export interface PickedFile {
  readonly name: string
  readonly bytes: Buffer
}

export const files = '[data-testid=files]'

/** The names of files in a list, without those of earlier uploads. */
const listedName = ':not(.recent *).file-name'

/** Bytes above which the files are read from the disk. Passing them to the page as text keeps a busy page from responding for minutes. */
const maxPassed = 1_000_000

/** Selects files in the file picker. */
export async function pick(page: Page, picked: readonly PickedFile[]): Promise<void> {
  const total = picked.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > maxPassed) return page.setInputFiles(files, await written(page, picked))
  return page.setInputFiles(
    files,
    picked.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  )
}

/** The paths of files on the disk, each in a separate folder, until the browser closes the pages that can read them. */
async function written(page: Page, picked: readonly PickedFile[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-picked-'))
  // Nothing waits for an event of the browser.
  page.context().once('close', () => void rm(folder, { recursive: true, force: true }))
  return Promise.all(
    picked.map(async ({ name, bytes }, index) => {
      const file = path.join(folder, String(index), name)
      await mkdir(path.dirname(file))
      await writeFile(file, bytes)
      return file
    }),
  )
}

export const sendButton = (page: Page) => page.getByRole('button', { name: /^Upload [\d,]+ file/ })

/** Waits until a page is loaded: until then its heading says that it loads. */
export const opened = (page: Page): Promise<void> => page.locator('h1:not(.loading > h1)').first().waitFor()

/** Waits for the button that uploads the selected files, and for their list: each has its own script, in no order. */
export async function selectionShown(page: Page): Promise<void> {
  await sendButton(page).waitFor()
  await page.locator(listedName).first().waitFor()
}

/** Opens the upload page and selects files. */
export async function choose(page: Page, server: string, picked: readonly PickedFile[]): Promise<void> {
  await page.goto(`${server}/`)
  await opened(page)
  await pick(page, picked)
  await selectionShown(page)
}

/** Opens the options; beside the files of a wide page they are open. */
export async function openOptions(page: Page): Promise<void> {
  const trigger = page.getByRole('button', { name: /^Options/, expanded: false })
  await trigger
    .or(page.getByRole('heading', { name: 'Options' }))
    .first()
    .waitFor()
  if (await trigger.isVisible()) await trigger.click()
}

/** The switch of an option, which may be among those that are shown on request. */
export async function optionSwitch(page: Page, option: string): Promise<Locator> {
  const found = page.getByRole('switch', { name: option })
  const more = page.getByRole('button', { name: 'More options', expanded: false })
  await found.or(more).first().waitFor()
  if (!(await found.isVisible())) await more.click()
  return found
}

export const flip = async (page: Page, option: string): Promise<void> =>
  (await optionSwitch(page, option)).click()

/** Chooses when the files expire. */
export const chooseExpiry = (page: Page, words: string): Promise<void> =>
  page.getByRole('group', { name: 'Expires in' }).getByText(words, { exact: true }).click()

export const shareLink = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'Share this link' }).inputValue()

/**
 * Uploads the chosen files.
 * @returns the link to share
 */
export async function send(page: Page): Promise<string> {
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  return shareLink(page)
}

/** The bytes that a click downloads. */
export async function downloaded(
  page: Page,
  click: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) }
}

const bytesOf = async (download: Download) => readFile(await download.path())

/** The names that a page lists, as text, without those of earlier uploads. */
export const listedNames = (page: Page): Promise<string[]> => page.locator(listedName).allTextContents()

/** Closes a page that asks whether to leave, because it is sending. */
export async function closeWhileSending(page: Page): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept())
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
}

/**
 * Makes a page look at uploads at intervals, as where a proxy ends streams of events. The network of a page that follows an
 * upload is never idle otherwise: of the stream itself, and of the script of a shared worker, which has no end for Playwright.
 */
export async function withoutEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker')
  })
  await page.route('**/uploads/events*', (route) => route.fulfill({ status: 404 }))
}

/** The link to manage the upload that the page has just made. */
export async function linkToManage(page: Page): Promise<string> {
  const name = 'Link to manage this upload'
  await page.getByRole('button', { name, expanded: false }).click()
  return page.getByRole('textbox', { name }).inputValue()
}
