import type { BrowserContext, Page } from 'playwright-core'
import { expire } from '../../support/expire.ts'
import { flip, opened, openOptions, send, sendButton } from '../../support/page-actions.ts'
import { interruptUpload } from '../../support/interrupted-upload.ts'
import { startConnectionProxy, type ConnectionProxy } from '../../support/services/connection-proxy.ts'
import { uploadIdOf } from '../../support/uploads.ts'
import {
  newPage,
  openPage,
  pathsOf,
  readyToSend,
  type TourSection,
  type TourContext,
} from './tour-context.ts'

/** Uploads the file of a name in another tab. Returns the link. */
async function sendOne({ sampleFiles }: TourContext, page: Page, url: string, name: string, option?: string) {
  await page.goto('about:blank')
  await page.goto(`${url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=files]', pathsOf(sampleFiles, [name]))
  await sendButton(page).waitFor()
  if (option !== undefined) {
    await openOptions(page)
    await flip(page, option)
  }
  return send(page)
}

/** Closes the page in the middle of an upload. Returns the link. */
async function interrupt(
  tour: TourContext,
  context: BrowserContext,
  proxy: ConnectionProxy,
): Promise<string> {
  const page = await context.newPage()
  await page.goto(`${proxy.url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=files]', pathsOf(tour.sampleFiles))
  return interruptUpload(page, proxy, 24_000_000)
}

/** Downloads the only file of an upload. */
async function take(tour: TourContext, link: string): Promise<void> {
  const page = await openPage(tour, link)
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
}

async function interrupted(tour: TourContext): Promise<void> {
  const { open, screenshot, cleanup } = tour
  const proxy = await startConnectionProxy(open.url)
  cleanup.defer(proxy.stop)
  const page = await newPage(tour, proxy.url)
  const context = page.context()
  expire(open, uploadIdOf(await sendOne(tour, page, proxy.url, 'report.pdf')))
  await take(tour, await sendOne(tour, page, proxy.url, 'interview.mp3', 'One-time download'))
  await sendOne(tour, page, proxy.url, 'Tiber.jpg')
  await sendOne(tour, page, proxy.url, 'budget.xlsx', 'End-to-end encryption')
  await page.getByRole('switch', { name: 'Keep the passphrase on this device' }).click()
  const link = await interrupt(tour, context, proxy)
  const recipient = await openPage(tour, link.replace(proxy.url, open.url))
  await recipient.getByText('Upload interrupted.').first().waitFor()
  await recipient.locator('.thumbnail img').first().waitFor()
  await screenshot(recipient, 'interrupted-received', 'An interrupted upload for its recipient')
  await page.goto(`${proxy.url}/#/sent`)
  await page.getByText(/^Incomplete: \d of 8 files uploaded/).waitFor()
  await screenshot(
    page,
    'sent-mixed',
    'Sent from this device: expired, downloaded, encrypted and interrupted',
  )
  await page.getByRole('link', { name: 'Resume upload' }).click()
  await page.getByText('This upload is incomplete').waitFor()
  await screenshot(page, 'interrupted-own', 'An interrupted upload for its sender', { tall: true })
}

async function withoutManifest(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await page.route(/\/\.svc-manifest\.age$/, (route) =>
    route.fulfill({ status: 507, json: { code: 'no_space', message: 'full' } }),
  )
  await readyToSend(tour, page, open.url)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await sendButton(page).click()
  await page.getByRole('alert').filter({ hasText: 'Recipients cannot use the files yet' }).waitFor()
  await screenshot(page, 'manifest-failed', 'The list of the encrypted files is not uploaded')
}

export const interrupting: TourSection = {
  title: 'Interruptions',
  steps: { interrupted, withoutManifest },
}
