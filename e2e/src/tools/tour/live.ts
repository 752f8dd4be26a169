import { once } from 'node:events'
import { connect } from 'node:net'
import type { Page } from 'playwright-core'
import { flip, opened, openOptions, sendButton, shareLink } from '../../support/page-actions.ts'
import { newPage, openPage, pathsOf, type TourSection, type TourContext } from './tour-context.ts'

/** Offers files of these names as a live transfer. Returns the link. */
async function offer(
  { open, sampleFiles }: TourContext,
  page: Page,
  names: readonly string[],
): Promise<string> {
  await page.goto(`${open.url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=files]', pathsOf(sampleFiles, names))
  await page.locator('.thumbnail img').first().waitFor()
  await openOptions(page)
  await flip(page, 'Live transfer')
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'Waiting for someone to open the link' }).waitFor()
  return shareLink(page)
}

/** A recipient that reads a little of a file, and waits. */
async function readSlowly({ open, cleanup }: TourContext, recipient: Page, name: string): Promise<void> {
  const { hostname, port } = new URL(open.url)
  const socket = connect(Number(port), hostname)
  cleanup.defer(() => {
    socket.destroy()
  })
  const address = await recipient.getByRole('link', { name: `Download ${name}` }).getAttribute('href')
  const { pathname, search } = new URL(address ?? '', open.url)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await once(socket, 'readable')
}

async function liveSending(tour: TourContext): Promise<void> {
  const { open, screenshot, sampleFiles } = tour
  const page = await newPage(tour, open.url)
  const names = sampleFiles.map(({ name }) => name).filter((name) => /\.(?:jpg|zip)$/.test(name))
  const link = await offer(tour, page, names)
  await screenshot(page, 'live-waiting', 'A live transfer waits for its recipient')
  const recipient = await openPage(tour, link)
  await recipient.getByText('The files come straight from the sender').waitFor()
  await screenshot(recipient, 'live-received', 'A live transfer for its recipient')
  await readSlowly(tour, recipient, 'everything.zip')
  await page.getByRole('heading', { name: 'The recipient is downloading' }).waitFor()
  await page
    .getByText(/^[\d.]+ [kM]B of 31 MB received$/)
    .first()
    .waitFor()
  await screenshot(page, 'live-sending', 'The recipient of a live transfer downloads')
}

async function liveReceived(tour: TourContext): Promise<void> {
  const { open, screenshot, sampleFiles } = tour
  const names = sampleFiles.map(({ name }) => name).filter((name) => name.endsWith('.jpg'))
  const page = await newPage(tour, open.url)
  const recipient = await openPage(tour, await offer(tour, page, names))
  for (const name of names) {
    const link = recipient.getByRole('link', { name: `Download ${name}` })
    await Promise.all([recipient.waitForEvent('download').then((file) => file.path()), link.click()])
  }
  await page.getByRole('heading', { name: 'Received', exact: true }).waitFor()
  await screenshot(page, 'live-done', 'The recipient of a live transfer has the files')
  await recipient.getByRole('heading', { name: 'You have it' }).waitFor()
  await screenshot(recipient, 'live-had', 'The end of a live transfer for its recipient')
}

export const live: TourSection = { title: 'Live transfers', steps: { liveSending, liveReceived } }
