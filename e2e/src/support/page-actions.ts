import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'

export interface PickedFile {
  readonly name: string
  readonly bytes: Buffer
}

export const files = '[data-testid=files]'

/** Selects files in the file picker. */
export const pick = (page: Page, picked: readonly PickedFile[]): Promise<void> =>
  page.setInputFiles(
    files,
    picked.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  )

export const sendButton = (page: Page) => page.getByRole('button', { name: /^Upload [\d,]+ file/ })

/** Waits until a page is loaded: until then its heading says that it loads. */
export const opened = (page: Page): Promise<void> => page.locator('h1:not(.loading > h1)').first().waitFor()

/** Opens the upload page and selects files. */
export async function choose(page: Page, server: string, picked: readonly PickedFile[]): Promise<void> {
  await page.goto(`${server}/`)
  await opened(page)
  await pick(page, picked)
  await sendButton(page).waitFor()
}

export const openOptions = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Options' }).click()

export const flip = (page: Page, option: string): Promise<void> =>
  page.getByRole('switch', { name: option }).click()

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
export const listedNames = (page: Page): Promise<string[]> =>
  page.locator(':not(.recent *).file-name').allTextContents()
