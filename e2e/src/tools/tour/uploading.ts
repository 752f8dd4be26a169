import type { Page } from 'playwright-core'
import { withMail, admin, logIn } from '../../support/accounts.ts'
import { startConnectionProxy } from '../../support/services/connection-proxy.ts'
import { startMailServer } from '../../support/services/mail-server.ts'
import { flip, openOptions, send, sendButton } from '../../support/page-actions.ts'
import {
  newPage,
  newServer,
  openPage,
  readyToSend,
  type TourSection,
  type TourContext,
} from './tour-context.ts'

async function beginning(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, `${open.url}/`, { viewport: { width: 1440, height: 900 } })
  await page.getByRole('group', { name: 'Expires in' }).waitFor()
  await screenshot(page, 'start', 'The start')
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['dropped'], 'dropped.txt'))
    return data
  })
  await page.dispatchEvent('footer', 'dragenter', { dataTransfer: transfer })
  await page.getByText('Drop to add files').waitFor()
  await screenshot(page, 'dropping', 'Files are dragged over the window')
}

async function writing(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, `${open.url}/`)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('# Three days in Rome\n\n- the Colosseum at dawn\n- the Tiber')
  await screenshot(page, 'text', 'Writing text')
}

async function choosing(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await readyToSend(tour, page, open.url)
  await screenshot(page, 'chosen', 'Files are chosen')
  await openOptions(page)
  await flip(page, 'Password protection')
  await page.getByLabel('Password', { exact: true }).fill('three days')
  await screenshot(page, 'options', 'Options')
  await flip(page, 'Password protection')
  await flip(page, 'End-to-end encryption')
  await page.getByLabel('Passphrase', { exact: true }).waitFor()
  await flip(page, 'Add note')
  await page.getByLabel('Note (Markdown supported)').fill('Three days in **Rome**.')
  await screenshot(page, 'options-encrypted', 'Encryption and a note', { tall: true })
}

async function rejecting(tour: TourContext): Promise<void> {
  const server = await newServer(tour, { MAX_FILE_SIZE_STR: '20MB' })
  const page = await newPage(tour, server.url)
  await readyToSend(tour, page, server.url)
  await page.getByText('Too large').first().waitFor()
  await tour.screenshot(page, 'too-large', 'A file is too large', { tall: true })
  await send(page)
  await tour.screenshot(page, 'ready-without', 'Ready, without the rejected file', { tall: true })
}

async function transferring(tour: TourContext): Promise<void> {
  const { open, screenshot, cleanup } = tour
  const proxy = await startConnectionProxy(open.url)
  cleanup.defer(proxy.stop)
  const page = await newPage(tour, proxy.url)
  await readyToSend(tour, page, proxy.url)
  const stalled = proxy.stall(24_000_000)
  await sendButton(page).click()
  await stalled
  await page.getByRole('progressbar', { name: 'All files' }).waitFor()
  await screenshot(page, 'uploading', 'Files are uploaded')
  await page.getByRole('button', { name: 'Pause all' }).click()
  await page.getByRole('button', { name: 'Resume all' }).waitFor()
  await screenshot(page, 'paused', 'The upload is paused')
  await page.getByRole('button', { name: 'Resume all' }).click()
  proxy.cut()
  await page.getByRole('heading', { name: 'Waiting for the connection' }).waitFor()
  await screenshot(page, 'cut', 'The connection is lost')
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByText(/^Cancelled: /).waitFor()
  await screenshot(page, 'cancelled', 'The upload is cancelled')
}

/** The server has no space for one of the files. */
async function refuseOne(page: Page, name: string): Promise<void> {
  const encoded = Buffer.from(name).toString('base64')
  await page.route(/\/tus\//, (route) =>
    route.request().headers()['upload-metadata']?.includes(encoded) === true
      ? route.fulfill({ status: 507, json: { code: 'no_space', message: 'full' } })
      : route.continue(),
  )
}

async function failing(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await refuseOne(page, 'interview.mp3')
  await readyToSend(tour, page, open.url)
  await sendButton(page).click()
  await page.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
  await screenshot(page, 'failed', 'A file fails')
}

async function sharing(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await readyToSend(tour, page, open.url)
  await send(page)
  await screenshot(page, 'ready', 'Ready to share')
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await page.getByRole('list', { name: 'Sent from this device' }).getByText('Expires in').first().waitFor()
  await screenshot(page, 'start-again', 'The start, after an upload')
}

async function sharingEncrypted(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await readyToSend(tour, page, open.url)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await send(page)
  await screenshot(page, 'ready-encrypted', 'Ready to share: encrypted', { tall: true })
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await page.getByRole('dialog').waitFor()
  await screenshot(page, 'leaving', 'Leaving without the link')
}

async function sharingLimited(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await readyToSend(tour, page, open.url)
  await openOptions(page)
  await flip(page, 'One-time download')
  await flip(page, 'Password protection')
  await page.getByLabel('Password', { exact: true }).fill('three days')
  await send(page)
  await screenshot(page, 'ready-limited', 'Ready to share: one download, with a password')
}

async function mailing(tour: TourContext): Promise<void> {
  const mail = await startMailServer()
  tour.cleanup.defer(mail.close)
  const server = await newServer(tour, { ...withMail(mail.port), FEATURE_MAIL: 'enabled' })
  const page = await newPage(tour, server.url)
  await logIn(page, server.url, admin)
  await readyToSend(tour, page, server.url)
  await send(page)
  await page.getByRole('button', { name: 'Send by email' }).click()
  await page.getByLabel('Email addresses').fill('grace@example.org, alan@example.org')
  await tour.screenshot(page, 'mail', 'The link is sent by email', { tall: true })
}

export const uploading: TourSection = {
  title: 'Uploading',
  steps: {
    beginning,
    writing,
    choosing,
    rejecting,
    transferring,
    failing,
    sharing,
    sharingEncrypted,
    sharingLimited,
    mailing,
  },
}
