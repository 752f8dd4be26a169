import { createClient } from '@svc/sdk'
import type { Page } from 'playwright-core'
import { choose, opened, send, sendButton, shareLink, type PickedFile } from '../support/page-actions.ts'
import type { Actor } from './actor.ts'

/** The device whose viewport is used. */
export type Device = 'desktop' | 'phone'

export interface JourneyContext {
  /** The address of a server without accounts. */
  readonly url: string
  readonly actor: Actor
  /** Opens a page in a new browser context, such as that of a recipient. */
  readonly visit: (device: Device) => Promise<Page>
  /** An image. */
  readonly file: PickedFile
}

/** A task that a first-time visitor completes. */
export interface Journey {
  /** Base name of its recordings. */
  readonly name: string
  readonly title: string
  readonly device: Device
  /** Returns the file that the recipient has at the end, if there is a recipient. */
  readonly run: (context: JourneyContext) => Promise<PickedFile | undefined>
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function chooseFile(page: Page, { url, actor, file }: JourneyContext): Promise<void> {
  await page.goto(`${url}/`)
  await opened(page)
  await actor.choose(button(page, 'Choose files'), [file], 'Choose a file')
  await sendButton(page).waitFor()
  await page.getByText(file.name).first().waitFor()
}

/** @returns the copied link */
async function uploadAndCopy(page: Page, actor: Actor): Promise<string> {
  await actor.click(sendButton(page), 'Upload it')
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  await actor.click(button(page, 'Copy link'), 'Copy the link')
  await button(page, 'Copied').waitFor()
  return shareLink(page)
}

async function share(context: JourneyContext): Promise<undefined> {
  const page = await context.visit('desktop')
  await chooseFile(page, context)
  await uploadAndCopy(page, context.actor)
  await context.actor.look(page, 'The link is copied')
}

async function shareOnce(context: JourneyContext): Promise<undefined> {
  const { actor, visit } = context
  const page = await visit('desktop')
  await chooseFile(page, context)
  await actor.click(page.getByRole('switch', { name: 'Password protection' }), 'Protect it with a password')
  await actor.fill(page.getByLabel('Password', { exact: true }), 'three days', 'Enter a password')
  await actor.click(page.getByRole('switch', { name: 'One-time download' }), 'Allow one download only')
  await uploadAndCopy(page, actor)
  await page.getByText('Each file can be downloaded once.').waitFor()
  await actor.look(page, 'One download, with a password')
}

async function shareEncrypted(context: JourneyContext): Promise<PickedFile> {
  const { actor, visit } = context
  const page = await visit('desktop')
  await chooseFile(page, context)
  await actor.click(page.getByRole('switch', { name: 'End-to-end encryption' }), 'Encrypt it')
  await page.getByLabel('Passphrase', { exact: true }).waitFor()
  const link = await uploadAndCopy(page, actor)
  await actor.look(page, 'The link contains the key')
  const recipient = await visit('desktop')
  await recipient.goto(link)
  await recipient.getByText(/^Th(?:is file is|ese files are) encrypted/).waitFor()
  await recipient.locator('.thumbnail img').waitFor()
  await actor.look(recipient, 'The recipient opens the link')
  const received = await actor.download(
    recipient.getByRole('link', { name: 'Download', exact: true }),
    'Download it',
  )
  await recipient.getByText('Decrypted and saved.').scrollIntoViewIfNeeded()
  await actor.look(recipient, 'Decrypted in the browser')
  return received
}

async function receive({ url, actor, visit, file }: JourneyContext): Promise<PickedFile> {
  const sdk = createClient({ baseURL: url })
  const upload = await sdk.createUpload()
  const { uploadToken = '' } = upload
  await sdk.addFile(upload.id, new Blob([new Uint8Array(file.bytes)]), { fileName: file.name, uploadToken })
  const page = await visit('phone')
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('heading', { name: 'A file for you' }).waitFor()
  await page.locator('.thumbnail img').waitFor()
  await actor.look(page, 'Someone opens the link')
  const received = await actor.download(
    page.getByRole('link', { name: 'Download', exact: true }),
    'Download it',
  )
  await actor.look(page, 'The file is on the phone')
  return received
}

/** Deletes an upload that is not among the latest ones, which the start page lists. */
async function remove({ url, actor, visit, file }: JourneyContext): Promise<undefined> {
  const page = await visit('desktop')
  for (const name of [file.name, 'budget.xlsx', 'minutes.txt', 'holiday.zip']) {
    await choose(page, url, [{ name, bytes: Buffer.from(name) }])
    await send(page)
  }
  await page.goto('about:blank')
  await page.goto(`${url}/`)
  await opened(page)
  await actor.click(page.getByRole('link', { name: 'Show all (4)' }), 'Find what was sent')
  await page.getByRole('heading', { level: 1, name: 'Sent from this device' }).waitFor()
  await actor.click(button(page, `Delete ${file.name}`), 'Delete it')
  await actor.click(page.getByRole('dialog').getByRole('button', { name: 'Delete' }), 'Confirm')
  await button(page, `Delete ${file.name}`).waitFor({ state: 'detached' })
  await actor.look(page, 'Its link no longer works')
}

export const journeys: readonly Journey[] = [
  { name: 'share', title: 'Share a file', device: 'desktop', run: share },
  { name: 'share-once', title: 'Share a file once, with a password', device: 'desktop', run: shareOnce },
  {
    name: 'share-encrypted',
    title: 'Encrypt a file, and open it elsewhere',
    device: 'desktop',
    run: shareEncrypted,
  },
  { name: 'receive', title: 'Receive a file on a phone', device: 'phone', run: receive },
  { name: 'remove', title: 'Find and delete what was sent', device: 'desktop', run: remove },
]
