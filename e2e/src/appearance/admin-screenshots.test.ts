import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { pageChecker, screenshotTimeout, overflow } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { sendFile } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

const longName =
  'minutes of the meeting on the long road that leads to the door of the house, second revision.pdf'
const names = ['holiday.jpg', longName, `${'unbroken'.repeat(14)}.bin`, 'דוח.pdf']

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  const sdk = await signedIn(server.url)
  for (let index = 0; index < 22; index += 1) await sendFile(sdk, names[index % names.length] ?? '', index)
  const marked = await sdk.createUpload({ oneShot: true, removable: true, password: 'hush', ttl: 3600 })
  await sdk.addFile(marked.id, new Blob(['x']), { fileName: 'marked.txt' })
  for (let index = 0; index < 22; index += 1) {
    const login = `person${String(index)}`
    await sdk.createUser({ provider: 'oidc', login, name: index % 2 ? `${longName} ${login}` : '' })
  }
  await sdk.createUser({
    provider: 'local',
    login: 'carol',
    password: 'long enough',
    maxUserSize: 5_000_000_000,
    maxTTL: -1,
  })
  await sdk.createMyToken({ comment: longName })
  await sdk.createMyToken()
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test(
  'the pages of users and admins fit the window, and axe finds nothing',
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const { checkViews, problems, checkedStates } = pageChecker(page, 'own')
    const open = async (state: string, path: string, ready: () => Promise<unknown>) => {
      await page.goto(`${server.url}/#${path}`)
      await ready()
      await checkViews(state)
    }
    const heading = (name: string) => () => page.getByRole('heading', { level: 1, name }).waitFor()

    await logIn(page, server.url)
    await open('uploads', '/home/uploads', async () => {
      await page.getByRole('checkbox', { name: 'Select marked.txt' }).check()
      await page.getByText('1 selected').waitFor()
    })
    await open('uploads-none', '/home/uploads?stream=true', () =>
      page.getByText('No uploads match the filters.').waitFor(),
    )
    await open('tokens', '/home/tokens', async () => {
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('heading', { name: 'Your new token' }).waitFor()
    })
    await open('usage', '/home/stats', () => page.getByText('Your limits').waitFor())
    await open('account', '/home/account', () => page.locator('.session').first().waitFor())
    await open('account-deletion', '/home/account', async () => {
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await page.getByRole('dialog').waitFor()
    })
    await page.keyboard.press('Escape')
    await open('figures', '/admin/stats', async () => {
      await page.getByText('Table of all days').click()
      await page.getByRole('slider', { name: 'Sent' }).focus()
      await page.getByRole('row').first().waitFor()
    })
    await open('users', '/admin/users', () => page.locator('.who').first().waitFor())
    await open('user', '/admin/user?id=local:carol', heading('carol'))
    await open('user-new', '/admin/user', heading('New user'))
    await open('user-missing', '/admin/user?id=local:unknown', heading('No longer available'))
    await open('all-uploads', '/admin/uploads', () => page.getByText('23 uploads').waitFor())
    await open('clients', '/clients', () => page.getByRole('heading', { name: 'ShareX' }).waitFor())
    await page.goto(`${server.url}/#/admin/user?id=local:carol`)
    await page.getByRole('button', { name: 'Act as this user' }).click()
    await menu(page, 'carol').waitFor()
    await open('acting', '/home/stats', () => page.getByText('0 bytes of 5 GB used').waitFor())
    await open('acting-no-admin', '/admin/stats', heading('Admins only'))

    expect(problems).toEqual([])
    expect(checkedStates()).toBe(15)
    expect(pageErrors).toEqual([])
  },
  screenshotTimeout,
)

test('the keyboard alone is enough for the user pages, and changes of page are announced', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/uploads`)
  const tab = page.getByRole('navigation', { name: 'My account' }).getByRole('link', { name: 'Tokens' })
  await tab.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent.trim())
  expect(await focused()).toBe('Tokens')
  await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
  await page.keyboard.press('Tab')
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  await expect.poll(focused, { timeout: 90_000 }).toBe('Your new token')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Copy: Token')
})

test('German fits a small window', async () => {
  const { page, pageErrors } = await visit(browser, server.url, {
    viewport: { width: 320, height: 700 },
    locale: 'de',
  })
  await page.goto(`${server.url}/#/login`)
  await page.getByLabel('Benutzername').fill('ada')
  await page.getByLabel('Passwort').fill('correct horse battery')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('button', { name: 'Konto:' }).waitFor()
  const reaches: Record<string, number> = {}
  const pages = {
    '/home/uploads': 'Uploads',
    '/home/tokens': 'Tokens',
    '/home/stats': 'Verbrauch',
    '/home/account': 'Konto',
    '/admin/stats': 'Statistik',
    '/admin/users': 'Benutzer',
    '/admin/user': 'Neuer Benutzer',
    '/admin/uploads': 'Alle Uploads',
    '/clients': 'Andere Wege zum Hochladen',
  }
  for (const [path, title] of Object.entries(pages)) {
    await page.goto(`${server.url}/#${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    reaches[path] = await overflow(page)
    await screenshot(page, `german-${path.replaceAll('/', '-')}`)
  }
  expect(reaches).toEqual(Object.fromEntries(Object.keys(pages).map((path) => [path, 0])))
  expect(pageErrors).toEqual([])
})
