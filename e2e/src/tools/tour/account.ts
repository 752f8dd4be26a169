import { createClient } from '@svc/sdk'
import { enter, logIn, menu } from '../../support/accounts.ts'
import { launchWithNotifications, visit } from '../../support/browser.ts'
import { flip, openOptions, opened, pick, send, sendButton } from '../../support/page-actions.ts'
import { sendFile } from '../../support/uploads.ts'
import { newPage, newServer, newUser, openPage, readyToSend, type Chapter, type Stage } from './stage.ts'

async function signingIn(stage: Stage): Promise<void> {
  const { accounts, open, shoot } = stage
  const page = await openPage(stage, `${accounts.url}/#/login`)
  await shoot(page, 'sign-in', 'Signing in')
  await enter(page, { login: 'ada', password: 'not the password' })
  await page.getByRole('alert').waitFor()
  await shoot(page, 'sign-in-wrong', 'The password is wrong')
  await shoot(await openPage(stage, `${open.url}/#/login`), 'no-accounts', 'A server without accounts')
  const forced = await newServer(stage, {
    FEATURE_AUTHENTICATION: 'forced',
    IDP1_API_CLIENT_ID: 'x',
    IDP1_API_SECRET: 'x',
    IDP2_API_CLIENT_ID: 'x',
    IDP2_API_SECRET: 'x',
  })
  const other = await openPage(stage, `${forced.url}/#/login`)
  await shoot(other, 'sign-in-providers', 'Signing in at a provider')
}

async function sentHere(stage: Stage): Promise<void> {
  const { open, shoot } = stage
  const page = await openPage(stage, `${open.url}/#/sent`)
  await shoot(page, 'nothing-sent', 'Nothing was sent yet')
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
  await shoot(page, 'sent', 'Sent from this device')
}

async function own(stage: Stage): Promise<void> {
  const { accounts, shoot } = stage
  const { page, sdk } = await newUser(stage, 'grace')
  const show = async (path: string) => {
    await page.goto(`${accounts.url}/#${path}`)
    await opened(page)
  }
  await show('/home/uploads')
  await shoot(page, 'my-uploads-none', 'No uploads in an account')
  await show('/home/tokens')
  await page.getByText('You have no tokens.').waitFor()
  await shoot(page, 'tokens-none', 'No tokens')
  for (const name of ['holiday.jpg', 'report of the second quarter.pdf', 'דוח.pdf', 'budget.xlsx'])
    await sendFile(sdk, name, 4_000 * name.length)
  const marked = await sdk.createUpload({ oneShot: true, removable: true, password: 'three days', ttl: 3600 })
  await sdk.addFile(marked.id, new Blob(['x']), { fileName: 'secret.txt' })
  await show('/home/uploads')
  await page.getByRole('checkbox', { name: 'Select secret.txt' }).check()
  await page.getByText('1 selected').waitFor()
  await shoot(page, 'my-uploads', 'Uploads of an account')
  await menu(page, 'grace').click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await shoot(page, 'menu', 'The menu of an account')
  await show('/home/tokens')
  await page.getByLabel('Description').fill('Backup')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await shoot(page, 'tokens', 'A new token', { tall: true })
  await show('/home/stats')
  await page.getByText('Your limits').waitFor()
  await shoot(page, 'usage', 'Usage')
  await show('/home/account')
  await page.locator('.session').first().waitFor()
  await shoot(page, 'account', 'Settings of an account', { tall: true })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'account-deletion', 'Deleting an account')
}

async function aliases(stage: Stage): Promise<void> {
  const { accounts, shoot } = stage
  const { page, sdk } = await newUser(stage, 'lise')
  await sdk.createUpload({ alias: 'holiday' })
  await readyToSend(stage, page, accounts.url)
  await openOptions(page)
  await page.getByRole('button', { name: 'More options', expanded: false }).click()
  const field = page.getByRole('textbox', { name: /^(?:Custom link|End of the link)$/ })
  await field.fill('holiday')
  await sendButton(page).click()
  await page.getByText('This link is taken.').waitFor()
  await shoot(page, 'alias-taken', 'A custom link that is taken')
  await field.fill('rome-2026')
  await page.goto(await send(page))
  await opened(page)
  await page.getByRole('button', { name: 'Custom link' }).click()
  await field.waitFor()
  await shoot(page, 'alias', 'Changing a custom link', { tall: true })
}

async function expiredSession(stage: Stage): Promise<void> {
  const { accounts, shoot } = stage
  const { page, sdk, user } = await newUser(stage, 'emmy')
  await page.goto(`${accounts.url}/#/`)
  await readyToSend(stage, page, accounts.url)
  for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  await sendButton(page).click()
  await page.getByText('Your session has expired. You are signed out.').nth(1).waitFor()
  await shoot(page, 'session-ended', 'The session has ended')
  await page.getByRole('link', { name: 'Sign in again' }).first().click()
  await enter(page, user)
  await page.locator('.thumbnail img').nth(2).waitFor()
  await shoot(page, 'draft', 'The files are still there')
}

async function terminal(stage: Stage): Promise<void> {
  const { accounts, shoot } = stage
  const { page } = await newUser(stage, 'barbara')
  const started = await createClient({ baseURL: accounts.url }).startCliLogin({
    hostname: 'laptop.example.org',
  })
  await page.goto(started.verifyURL)
  const code = page.getByLabel('Code from the terminal')
  await code.waitFor()
  await code.fill('QQQQ-QQQQ')
  await page.getByRole('alert').waitFor()
  await shoot(page, 'terminal-unknown', 'An unknown code of a terminal')
  await code.fill(started.code)
  await page.getByText('laptop.example.org').waitFor()
  await shoot(page, 'terminal', 'Approving a terminal', { tall: true })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await shoot(page, 'terminal-approved', 'The terminal is approved')
}

async function notifications(stage: Stage): Promise<void> {
  const { accounts, shoot, cleanup } = stage
  const { sdk, user } = await newUser(stage, 'katherine')
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
  await shoot(page, 'webhook-form', 'A new webhook', { tall: true })
  await sdk.createMyWebhook({
    url: 'https://chat.example.org/hooks/uploads',
    events: ['upload.downloaded', 'request.received'],
    description: 'Chat of the team',
  })
  await page.reload()
  await page.getByText('Chat of the team').waitFor()
  await shoot(page, 'notifications', 'Notifications of an account', { tall: true })
}

async function clients(stage: Stage): Promise<void> {
  const { open, accounts, shoot } = stage
  const page = await openPage(stage, `${open.url}/#/clients`)
  await page.getByRole('heading', { name: 'ShareX' }).waitFor()
  await shoot(page, 'clients', 'Other ways to upload', { tall: true })
  const other = await newPage(stage, accounts.url)
  await other.goto(`${accounts.url}/#/clients`)
  await opened(other)
  await shoot(other, 'clients-guest', 'The same, on a server with accounts', { tall: true })
}

export const account: Chapter = {
  title: 'Accounts',
  scenes: [signingIn, sentHere, own, aliases, expiredSession, terminal, notifications, clients],
}
