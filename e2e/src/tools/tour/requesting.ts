import { createClient } from '@svc/sdk'
import type { Page } from 'playwright-core'
import { addAuthenticator } from '../../support/authenticator.ts'
import { logIn } from '../../support/accounts.ts'
import { opened, sendButton } from '../../support/page-actions.ts'
import { ask, received, sendAs } from '../../requests/asking.ts'
import { newPage, newUser, openPage, pathsOf, type Chapter, type Stage } from './stage.ts'

const idIn = (link: string) => /id=(\w+)/.exec(link)?.[1] ?? ''
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function asking(stage: Stage): Promise<void> {
  const { open, shoot, browser, drawn } = stage
  const page = await openPage(stage, `${open.url}/#/requests`)
  await page.getByRole('textbox', { name: 'What do you need?' }).waitFor()
  await shoot(page, 'request-form', 'Asking for files')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('switch', { name: 'Only one upload' }).waitFor()
  await shoot(page, 'request-options', 'Options of a request', { tall: true })
  const link = await ask(page, open.url)
  await shoot(page, 'request-made', 'The link for senders', { tall: true })
  const files = drawn
    .filter(({ name }) => name.endsWith('.jpg') || name === 'report.pdf')
    .map(({ name, buffer }) => ({ name, bytes: buffer }))
  await sendAs(browser, 'Ada Lovelace', link, files)
  await page.reload()
  await received(page).waitFor()
  await received(page).locator('.thumbnail img').first().waitFor()
  await shoot(page, 'inbox', 'What has come', { tall: true })
  await button(page, 'Edit request').click()
  await page.getByRole('form', { name: 'Edit request' }).waitFor()
  await shoot(page, 'request-edit', 'Editing a request', { tall: true })
  await page.goto(`${open.url}/#/requests`)
  await page.getByText('Uploads: 1').waitFor()
  await shoot(page, 'requests', 'Requests of the owner')
}

async function sending(stage: Stage): Promise<void> {
  const { open, shoot, drawn } = stage
  const owner = await newPage(stage, open.url)
  const page = await newPage(stage, open.url)
  await page.goto(await ask(owner, open.url))
  await page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await shoot(page, 'request', 'Someone asks for files')
  await page.setInputFiles('[data-testid=files]', pathsOf(drawn))
  await page.getByRole('textbox', { name: /^Your name/ }).fill('Ada Lovelace')
  await page.locator('.thumbnail img').nth(2).waitFor()
  await shoot(page, 'request-chosen', 'The sender has chosen files', { tall: true })
  await sendButton(page).click()
  await page.getByRole('button', { name: 'Save receipt' }).waitFor()
  await shoot(page, 'request-sent', 'The receipt of the sender', { tall: true })
}

async function ending(stage: Stage): Promise<void> {
  const { open, shoot } = stage
  const sdk = createClient({ baseURL: open.url })
  const closed = await sdk.createUploadRequest({ title: 'Photos of the party' })
  await sdk.updateUploadRequest(closed.id, { closed: true }, { requestToken: closed.requestToken })
  const page = await openPage(stage, sdk.requestURL(closed))
  await shoot(page, 'request-closed', 'A closed request')
  const full = await sdk.createUploadRequest({ title: 'Photos of the party', maxFiles: 1 })
  const { id, uploadToken } = await sdk.sendToUploadRequest(full.id)
  await sdk.addFile(id, new Blob(['a']), { fileName: 'a.jpg', uploadToken })
  await shoot(await openPage(stage, sdk.requestURL(full)), 'request-full', 'A full request')
  await shoot(
    await openPage(stage, sdk.requestURL({ id: 'nosuchrequest000' })),
    'request-gone',
    'A request that does not exist',
  )
  const locked = await sdk.createUploadRequest({ title: 'Reports', password: 'three days' })
  await shoot(await openPage(stage, sdk.requestURL(locked)), 'request-password', 'A request with a password')
  const swapped = await openPage(
    stage,
    sdk.requestURL(await sdk.createUploadRequest({ title: 'Reports' }), 'abc'),
  )
  await shoot(swapped, 'request-swapped', 'A request that someone has changed')
}

/** A passkey belongs to a name, not to an IP address. */
const byName = (url: string) => url.replace('127.0.0.1', 'localhost')

async function opening(stage: Stage): Promise<void> {
  const { accounts, shoot, browser } = stage
  const { user } = await newUser(stage, 'rosalind')
  const url = byName(accounts.url)
  const page = await newPage(stage, url)
  await addAuthenticator(page)
  await logIn(page, url, user)
  const link = await ask(page, url)
  await button(page, 'Open on other devices').click()
  await button(page, 'Use a passkey').waitFor()
  await shoot(page, 'request-key', 'Opening a request on other devices', { tall: true })
  await button(page, 'Use a passkey').click()
  await page.getByText('Your other devices open it with your passkey.').waitFor()
  await shoot(page, 'request-passkey', 'A passkey opens it', { tall: true })
  await sendAs(browser, 'Ada Lovelace', link)
  const other = await newPage(stage, url)
  await logIn(other, url, user)
  await other.goto(`${url}/#/home/requests?id=${idIn(link)}`)
  await button(other, 'Use a passkey').waitFor()
  await shoot(other, 'request-other', 'The request on another device', { tall: true })
  await button(other, 'Enter the key instead').click()
  await shoot(other, 'request-enter', 'Entering its key', { tall: true })
  await other.goto(`${url}/#/home/requests`)
  await opened(other)
  await shoot(other, 'own-requests', 'Requests of an account')
}

export const requesting: Chapter = { title: 'File requests', scenes: [asking, sending, ending, opening] }
