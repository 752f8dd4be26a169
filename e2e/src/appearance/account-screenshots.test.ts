import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { choose, sendButton } from '../support/page-actions.ts'
import { pageChecker, screenshotTimeout, overflow } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let open: StartedServer
let browser: Browser

beforeAll(async () => {
  const providers = Object.fromEntries(
    ['IDP1_API_CLIENT_ID', 'IDP1_API_SECRET', 'IDP2_API_CLIENT_ID', 'IDP2_API_SECRET'].map((key) => [
      key,
      'x',
    ]),
  )
  ;[server, open, browser] = await Promise.all([
    startServer({ ...withAccounts, ...providers }),
    startServer(),
    launch(),
  ])
})
afterAll(() => Promise.all([server.stop(), open.stop(), browser.close()]))

test(
  'the account pages fit the window, and axe finds nothing',
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const { checkViews, problems, checkedStates } = pageChecker(page, 'account')
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await checkViews('guest')
    await page.goto(`${server.url}/#/login`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await checkViews('login')
    await enter(page, { ...admin, password: 'not the password' })
    await page.getByRole('alert').waitFor()
    await checkViews('wrong')
    await enter(page, admin)
    await menu(page).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await checkViews('menu')

    const hostname = 'a-computer-with-quite-a-long-name.in.a.company.example'
    const started = await createClient({ baseURL: server.url }).startCliLogin({ hostname })
    await page.goto(started.verifyURL)
    const code = page.getByLabel('Code from the terminal')
    await code.waitFor()
    await checkViews('cli-code')
    await code.fill('QQQQ-QQQQ')
    await page.getByRole('alert').waitFor()
    await checkViews('cli-unknown')
    await code.fill(started.code)
    await page.getByText(hostname).waitFor()
    await checkViews('cli-who')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    await checkViews('cli-approved')

    await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
    const sdk = await signedIn(server.url)
    for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
    await sendButton(page).click()
    await page.getByText('Your session has expired. You are signed out.').nth(1).waitFor()
    await checkViews('ended')
    await page.goto(`${open.url}/#/login`)
    await page.getByRole('heading', { name: 'No account needed' }).waitFor()
    await checkViews('no-accounts')

    expect(problems).toEqual([])
    expect(checkedStates()).toBe(10)
    expect(pageErrors.filter((pageError) => !pageError.includes(new URL(open.url).host))).toEqual([])
  },
  screenshotTimeout,
)

test('long names fit a small window, and so does German', async () => {
  const sdk = await signedIn(server.url)
  const name = 'Maximiliane-Wilhelmine von und zu Hohenlohe-Schillingsfürst'.repeat(2)
  const person = { login: 'maximiliane', password: 'long enough' }
  await sdk.createUser({ provider: 'local', ...person, name })
  const { page } = await visit(browser, server.url, { viewport: { width: 320, height: 700 }, locale: 'de' })
  await page.goto(`${server.url}/#/login`)
  await page.getByLabel('Benutzername').fill(person.login)
  await page.getByLabel('Passwort').fill(person.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('button', { name: 'Konto:' }).click()
  expect(await overflow(page)).toBe(0)
  await screenshot(page, 'account-long-name')
})

test('the focus is visible', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.keyboard.press('Tab')
  await menu(page).focus()
  const outline = await menu(page).evaluate((button) => getComputedStyle(button).outlineStyle)
  expect(outline).not.toBe('none')
})
