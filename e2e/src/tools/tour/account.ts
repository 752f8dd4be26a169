import { createClient } from '@svc/sdk'
import { enter, logIn, menu } from '../../support/accounts.ts'
import { launchWithNotifications, visit } from '../../support/browser.ts'
import { flip, openOptions, opened, pick, send, sendButton } from '../../support/page-actions.ts'
import { sendFile } from '../../support/uploads.ts'
import {
  newPage,
  newServer,
  newUser,
  openPage,
  readyToSend,
  type TourSection,
  type TourContext,
} from './tour-context.ts'

async function signingIn(tour: TourContext): Promise<void> {
  const { accounts, open, screenshot } = tour
  const page = await openPage(tour, `${accounts.url}/#/login`)
  await screenshot(page, 'sign-in', 'Signing in')
  await enter(page, { login: 'ada', password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await screenshot(page, 'sign-in-wrong', 'The password is wrong')
  await screenshot(await openPage(tour, `${open.url}/#/login`), 'no-accounts', 'A server without accounts')
  const forced = await newServer(tour, {
    FEATURE_AUTHENTICATION: 'forced',
    IDP1_API_CLIENT_ID: 'x',
    IDP1_API_SECRET: 'x',
    IDP2_API_CLIENT_ID: 'x',
    IDP2_API_SECRET: 'x',
  })
  const other = await openPage(tour, `${forced.url}/#/login`)
  await screenshot(other, 'sign-in-providers', 'Signing in at a provider')
}

async function sentHere(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, `${open.url}/#/sent`)
  await screenshot(page, 'nothing-sent', 'Nothing was sent yet')
  const names = ['holiday.zip', 'notes.txt', 'a photo of the market in the evening, from the bridge.jpg']
  for (const [index, name] of names.entries()) {
    await page.goto(`${open.url}/`)
    await opened(page)
    await pick(
      page,
      [name, `${name}.sig`].map((each) => ({ name: each, bytes: Buffer.from(each) })),
    )
    await openOptions(page)
    if (index === 1) await flip(page, 'End-to-end encryption')
    if (index === 2) await flip(page, 'One-time download')
    await send(page)
    await page.getByRole('button', { name: 'Upload more files' }).click()
    if (index === 1) await page.getByRole('button', { name: 'Leave without it' }).click()
    await page.getByRole('list', { name: 'Sent from this device' }).waitFor()
  }
  await page.goto(`${open.url}/#/sent`)
  await page.getByText('Expires in').nth(2).waitFor()
  await screenshot(page, 'sent', 'Sent from this device')
}

async function own(tour: TourContext): Promise<void> {
  const { accounts, screenshot } = tour
  const { page, sdk } = await newUser(tour, 'grace')
  const show = async (path: string) => {
    await page.goto(`${accounts.url}/#${path}`)
    await opened(page)
  }
  await show('/home/uploads')
  await screenshot(page, 'my-uploads-none', 'No uploads in an account')
  await show('/home/tokens')
  await page.getByText('You have no tokens.').waitFor()
  await screenshot(page, 'tokens-none', 'No tokens')
  for (const name of ['holiday.jpg', 'report of the second quarter.pdf', 'דוח.pdf', 'budget.xlsx'])
    await sendFile(sdk, name, 4_000 * name.length)
  const marked = await sdk.createUpload({ oneShot: true, removable: true, password: 'three days', ttl: 3600 })
  await sdk.addFile(marked.id, new Blob(['x']), { fileName: 'secret.txt' })
  await show('/home/uploads')
  await page.getByRole('checkbox', { name: 'Select secret.txt' }).check()
  await page.getByText('1 selected').waitFor()
  await screenshot(page, 'my-uploads', 'Uploads of an account')
  await menu(page, 'grace').click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await screenshot(page, 'menu', 'The menu of an account')
  await show('/home/tokens')
  await page.getByLabel('Description').fill('Backup')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await screenshot(page, 'tokens', 'A new token', { tall: true })
  await show('/home/stats')
  await page.getByText('Your limits').waitFor()
  await screenshot(page, 'usage', 'Usage')
  await show('/home/account')
  await page.locator('.session').first().waitFor()
  await screenshot(page, 'account', 'Settings of an account', { tall: true })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').waitFor()
  await screenshot(page, 'account-deletion', 'Deleting an account')
}

async function aliases(tour: TourContext): Promise<void> {
  const { accounts, screenshot } = tour
  const { page, sdk } = await newUser(tour, 'lise')
  await sdk.createUpload({ alias: 'holiday' })
  await readyToSend(tour, page, accounts.url)
  await openOptions(page)
  await page.getByRole('button', { name: 'More options', expanded: false }).click()
  const field = page.getByRole('textbox', { name: /^(?:Custom link|End of the link)$/ })
  await field.fill('holiday')
  await sendButton(page).click()
  await page.getByText('This link is taken.').waitFor()
  await screenshot(page, 'alias-taken', 'A custom link that is taken')
  await field.fill('rome-2026')
  await page.goto(await send(page))
  await opened(page)
  await page.getByRole('button', { name: 'Custom link' }).click()
  await field.waitFor()
  await screenshot(page, 'alias', 'Changing a custom link', { tall: true })
}

async function expiredSession(tour: TourContext): Promise<void> {
  const { accounts, screenshot } = tour
  const { page, sdk, user } = await newUser(tour, 'emmy')
  await page.goto(`${accounts.url}/#/`)
  await readyToSend(tour, page, accounts.url)
  for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  await sendButton(page).click()
  await page.getByText('Your session has expired. You are signed out.').nth(1).waitFor()
  await screenshot(page, 'session-ended', 'The session has ended')
  await page.getByRole('link', { name: 'Sign in again' }).first().click()
  await enter(page, user)
  await page.locator('.thumbnail img').nth(2).waitFor()
  await screenshot(page, 'draft', 'The files are still there')
}

async function terminal(tour: TourContext): Promise<void> {
  const { accounts, screenshot } = tour
  const { page } = await newUser(tour, 'barbara')
  const started = await createClient({ baseURL: accounts.url }).startCliLogin({
    hostname: 'laptop.example.org',
  })
  await page.goto(started.verifyURL)
  const code = page.getByLabel('Code from the terminal')
  await code.waitFor()
  await code.fill('QQQQ-QQQQ')
  await page.getByRole('alert').waitFor()
  await screenshot(page, 'terminal-unknown', 'An unknown code of a terminal')
  await code.fill(started.code)
  await page.getByText('laptop.example.org').waitFor()
  await screenshot(page, 'terminal', 'Approving a terminal', { tall: true })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await screenshot(page, 'terminal-approved', 'The terminal is approved')
}

async function notifications(tour: TourContext): Promise<void> {
  const { accounts, screenshot, cleanup } = tour
  const { sdk, user } = await newUser(tour, 'katherine')
  const browser = await launchWithNotifications()
  cleanup.defer(() => browser.close())
  const { page } = await visit(browser, accounts.url, {
    viewport: { width: 820, height: 900 },
    permissions: ['notifications'],
  })
  await logIn(page, accounts.url, user)
  await page.goto(`${accounts.url}/#/home/notifications`)
  await page.getByText('You have no webhooks.').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address (https://…)').fill('https://chat.example.org/hooks/uploads')
  await screenshot(page, 'webhook-form', 'A new webhook', { tall: true })
  await sdk.createMyWebhook({
    url: 'https://chat.example.org/hooks/uploads',
    events: ['upload.downloaded', 'request.received'],
    description: 'Chat of the team',
  })
  await page.reload()
  await page.getByText('Chat of the team').waitFor()
  await screenshot(page, 'notifications', 'Notifications of an account', { tall: true })
}

async function clients(tour: TourContext): Promise<void> {
  const { open, accounts, screenshot } = tour
  const page = await openPage(tour, `${open.url}/#/clients`)
  await page.getByRole('heading', { name: 'ShareX' }).waitFor()
  await screenshot(page, 'clients', 'Other ways to upload', { tall: true })
  const other = await newPage(tour, accounts.url)
  await other.goto(`${accounts.url}/#/clients`)
  await opened(other)
  await screenshot(other, 'clients-guest', 'The same, on a server with accounts', { tall: true })
}

export const account: TourSection = {
  title: 'Accounts',
  steps: { signingIn, sentHere, own, aliases, expiredSession, terminal, notifications, clients },
}
