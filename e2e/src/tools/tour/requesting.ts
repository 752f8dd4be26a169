import { createClient } from '@svc/sdk'
import type { Page } from 'playwright-core'
import { addAuthenticator } from '../../support/authenticator.ts'
import { logIn } from '../../support/accounts.ts'
import { opened, sendButton } from '../../support/page-actions.ts'
import { ask, received, sendAs } from '../../requests/asking.ts'
import { newPage, newUser, openPage, pathsOf, type TourSection, type TourContext } from './tour-context.ts'

const idIn = (link: string) => /id=(\w+)/.exec(link)?.[1] ?? ''
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function asking(tour: TourContext): Promise<void> {
  const { open, screenshot, browser, sampleFiles } = tour
  const page = await openPage(tour, `${open.url}/#/requests`)
  await page.getByRole('textbox', { name: 'What do you need?' }).waitFor()
  await screenshot(page, 'request-form', 'Asking for files')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('switch', { name: 'Only one upload' }).waitFor()
  await screenshot(page, 'request-options', 'Options of a request', { tall: true })
  const link = await ask(page, open.url)
  await screenshot(page, 'request-made', 'The link for senders', { tall: true })
  const files = sampleFiles
    .filter(({ name }) => name.endsWith('.jpg') || name === 'report.pdf')
    .map(({ name, buffer }) => ({ name, bytes: buffer }))
  await sendAs(browser, 'Ada Lovelace', link, files)
  await page.reload()
  await received(page).waitFor()
  await received(page).locator('.thumbnail img').first().waitFor()
  await screenshot(page, 'inbox', 'What has come', { tall: true })
  await button(page, 'Edit request').click()
  await page.getByRole('form', { name: 'Edit request' }).waitFor()
  await screenshot(page, 'request-edit', 'Editing a request', { tall: true })
  await page.goto(`${open.url}/#/requests`)
  await page.getByText('Uploads: 1').waitFor()
  await screenshot(page, 'requests', 'Requests of the owner')
}

async function sending(tour: TourContext): Promise<void> {
  const { open, screenshot, sampleFiles } = tour
  const owner = await newPage(tour, open.url)
  const page = await newPage(tour, open.url)
  await page.goto(await ask(owner, open.url))
  await page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await screenshot(page, 'request', 'Someone asks for files')
  await page.setInputFiles('[data-testid=files]', pathsOf(sampleFiles))
  await page.getByRole('textbox', { name: /^Your name/ }).fill('Ada Lovelace')
  await page.locator('.thumbnail img').nth(2).waitFor()
  await screenshot(page, 'request-chosen', 'The sender has chosen files', { tall: true })
  await sendButton(page).click()
  await page.getByRole('button', { name: 'Save receipt' }).waitFor()
  await screenshot(page, 'request-sent', 'The receipt of the sender', { tall: true })
}

async function ending(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sdk = createClient({ baseURL: open.url })
  const closed = await sdk.createUploadRequest({ title: 'Photos of the party' })
  await sdk.updateUploadRequest(closed.id, { closed: true }, { requestToken: closed.requestToken })
  const page = await openPage(tour, sdk.requestURL(closed))
  await screenshot(page, 'request-closed', 'A closed request')
  const full = await sdk.createUploadRequest({ title: 'Photos of the party', maxFiles: 1 })
  const { id, uploadToken } = await sdk.sendToUploadRequest(full.id)
  await sdk.addFile(id, new Blob(['a']), { fileName: 'a.jpg', uploadToken })
  await screenshot(await openPage(tour, sdk.requestURL(full)), 'request-full', 'A full request')
  await screenshot(
    await openPage(tour, sdk.requestURL({ id: 'nosuchrequest000' })),
    'request-gone',
    'A request that does not exist',
  )
  const locked = await sdk.createUploadRequest({ title: 'Reports', password: 'three days' })
  await screenshot(
    await openPage(tour, sdk.requestURL(locked)),
    'request-password',
    'A request with a password',
  )
  const swapped = await openPage(
    tour,
    sdk.requestURL(await sdk.createUploadRequest({ title: 'Reports' }), 'abc'),
  )
  await screenshot(swapped, 'request-swapped', 'A request that someone has changed')
}

/** A passkey belongs to a name, not to an IP address. */
const byName = (url: string) => url.replace('127.0.0.1', 'localhost')

async function opening(tour: TourContext): Promise<void> {
  const { accounts, screenshot, browser } = tour
  const { user } = await newUser(tour, 'rosalind')
  const url = byName(accounts.url)
  const page = await newPage(tour, url)
  await addAuthenticator(page)
  await logIn(page, url, user)
  const link = await ask(page, url)
  await button(page, 'Open on other devices').click()
  await button(page, 'Use a passkey').waitFor()
  await screenshot(page, 'request-key', 'Opening a request on other devices', { tall: true })
  await button(page, 'Use a passkey').click()
  await page.getByText('Your other devices open it with your passkey.').waitFor()
  await screenshot(page, 'request-passkey', 'A passkey opens it', { tall: true })
  await sendAs(browser, 'Ada Lovelace', link)
  const other = await newPage(tour, url)
  await logIn(other, url, user)
  await other.goto(`${url}/#/home/requests?id=${idIn(link)}`)
  await button(other, 'Use a passkey').waitFor()
  await screenshot(other, 'request-other', 'The request on another device', { tall: true })
  await button(other, 'Enter the key instead').click()
  await screenshot(other, 'request-enter', 'Entering its key', { tall: true })
  await other.goto(`${url}/#/home/requests`)
  await opened(other)
  await screenshot(other, 'own-requests', 'Requests of an account')
}

export const requesting: TourSection = { title: 'File requests', steps: { asking, sending, ending, opening } }
