import { createClient, type Client } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { pick, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, sendFile, waitForList } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
let sdk: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  sdk = await signedIn(server.url)
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const password = 'long enough'

async function openAsAdmin(path: string) {
  const visited = await visit(browser, server.url)
  await logIn(visited.page, server.url)
  await visited.page.goto(`${server.url}/#${path}`)
  return visited
}

const shownUsers = (page: Page) => page.locator('.who a').allTextContents()

test('a user can be created, limited, given another password, and deleted', async () => {
  const { page, pageErrors } = await openAsAdmin('/admin/users')
  await page.getByRole('link', { name: 'New user' }).click()
  await page.getByLabel('Username', { exact: true }).fill('bob')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Name', { exact: true }).fill('Bob')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('heading', { name: 'bob' }).waitFor()
  const bob = await signedIn(server.url, { login: 'bob', password })

  const save = page.getByRole('button', { name: 'Save' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await page.getByLabel('Storage quota', { exact: true }).selectOption('own')
  await page.getByLabel('Storage quota: unit').selectOption('MB')
  await page.getByLabel('Storage quota: value').fill('')
  await page.getByText('Enter a number greater than 0.').waitFor()
  await expect.poll(() => save.isDisabled()).toBe(true)
  await page.getByLabel('Storage quota: value').fill('0.001')
  await page.getByLabel('Maximum lifetime', { exact: true }).selectOption('unlimited')
  await save.click()
  await page.getByText('Saved').first().waitFor()
  expect(await sdk.user('local:bob')).toMatchObject({ name: 'Bob', maxUserSize: 1000, maxTTL: -1 })
  await expect(sendFile(bob, 'too much', 1001)).rejects.toMatchObject({ code: 'quota_reached' })
  await page.reload()
  await page.getByRole('heading', { name: 'bob' }).waitFor()
  await expect.poll(() => page.getByLabel('Storage quota: value').inputValue()).toBe('0.001')

  await page.getByLabel('New password').fill('another one')
  await save.click()
  await page.getByText('Saved').first().waitFor()
  await expect(bob.me()).rejects.toMatchObject({ status: 403 })
  await signedIn(server.url, { login: 'bob', password: 'another one' })

  await page.getByRole('button', { name: 'Delete user' }).click()
  await page.getByText('bob, with all uploads and tokens, will be deleted permanently.').waitFor()
  await clickInDialog(page, 'Delete user')
  await page.getByRole('heading', { name: 'Users' }).waitFor()
  await expect(sdk.user('local:bob')).rejects.toMatchObject({ code: 'user_not_found' })
  expect(pageErrors).toEqual([])
})

test('an error is reported, and the typed values stay', async () => {
  const { page } = await openAsAdmin('/admin/user')
  await page.getByLabel('Username', { exact: true }).fill(admin.login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('A user with this name already exists.').waitFor()
  await expect.poll(() => page.getByLabel('Username', { exact: true }).inputValue()).toBe(admin.login)

  await page.goto(`${server.url}/#/admin/user?id=local:ada`)
  await page.getByRole('heading', { name: 'ada' }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete user' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Act as this user' }).count()).toBe(0)
  await page.getByRole('switch', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This is the last admin. Make another user an admin first.').waitFor()

  await page.goto(`${server.url}/#/admin/user?id=local:unknown`)
  await page.getByText('This user does not exist.').waitFor()
})

test('users are paged, searched and filtered, and the URL contains the view', async () => {
  for (let index = 10; index < 35; index += 1) {
    await sdk.createUser({
      provider: 'oidc',
      login: `subject${String(index)}`,
      name: index === 20 ? 'Zoë Ünlü' : '',
    })
  }
  const { page, pageErrors } = await openAsAdmin('/admin/users?provider=oidc')
  await page.getByText('25 users').waitFor()
  expect((await shownUsers(page))[0]).toBe('subject34')
  await page.getByRole('button', { name: 'Next' }).click()
  const users = (names: readonly string[]) =>
    expect.poll(() => shownUsers(page), { timeout: 90_000 }).toEqual(names)
  await users(['subject14', 'subject13', 'subject12', 'subject11', 'subject10'])

  await page.getByLabel('Search by username').fill('zoë')
  await users(['subject20'])
  await page.reload()
  await users(['subject20'])
  await expect.poll(() => page.getByLabel('Search by username').inputValue()).toBe('zoë')
  await page.getByRole('button', { name: 'Admins' }).click()
  await page.getByText('No users found.').waitFor()
  await page.getByLabel('Search by username').fill('')
  await page.getByLabel('Sign-in method').selectOption('')
  await users(['ada'])
  expect(pageErrors).toEqual([])
})

test('an admin acts as a user on every page of one tab, and ends it', async () => {
  await sdk.createUser({ provider: 'local', login: 'carol', password, name: 'Carol' })
  await sendFile(await signedIn(server.url, { login: 'carol', password }), 'hers.txt')
  const { page, context, pageErrors } = await openAsAdmin('/admin/user?id=local:carol')
  await page.getByRole('button', { name: 'Act as this user' }).click()
  const banner = page.getByRole('region', { name: 'Acting as another user' })
  await banner.getByText('Carol').waitFor()
  await menu(page, 'Carol').waitFor()
  await waitForList(page, ['hers.txt'])

  // Only her own credentials sign in as her.
  expect(await page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Active sessions' }).count()).toBe(0)

  await page.goto(`${server.url}/#/admin/users`)
  await page.getByText('While you act as another user, you have only the rights of that user.').waitFor()
  await page.goto(`${server.url}/`)
  await banner.waitFor()
  await pick(page, [{ name: 'for her.txt', bytes: Buffer.from('x') }])
  await send(page)
  expect((await sdk.uploads({ user: 'local:carol' })).results.map(({ files }) => files[0]?.fileName)).toEqual(
    ['for her.txt', 'hers.txt'],
  )

  const other = await context.newPage()
  await other.goto(`${server.url}/`)
  await menu(other, 'ada').waitFor()
  expect(await other.getByRole('region', { name: 'Acting as another user' }).count()).toBe(0)

  await page.reload()
  await banner.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'carol' }).waitFor()
  await menu(page, 'ada').waitFor()
  expect(await banner.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

describe('impersonation ends', () => {
  test('with the session', async () => {
    await sdk.createUser({ provider: 'local', login: 'dora', password })
    const { page, context } = await openAsAdmin('/admin/user?id=local:dora')
    await page.getByRole('button', { name: 'Act as this user' }).click()
    await menu(page, 'dora').waitFor()
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(`${server.url}/#/login`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enter(page, admin)
    await menu(page, 'ada').waitFor()
    expect(await page.getByRole('region', { name: 'Acting as another user' }).count()).toBe(0)
  })

  test('with the user', async () => {
    await sdk.createUser({ provider: 'local', login: 'erna', password })
    const { page } = await openAsAdmin('/admin/user?id=local:erna')
    await page.getByRole('button', { name: 'Act as this user' }).click()
    await menu(page, 'erna').waitFor()
    await sdk.removeUser('local:erna')
    await page.reload()
    await menu(page, 'ada').waitFor()
    expect(await page.getByRole('region', { name: 'Acting as another user' }).count()).toBe(0)
  })
})

test('all uploads are listed with their owners, filtered by one, and removed', async () => {
  await sdk.createUser({ provider: 'local', login: 'fritz', password })
  await sendFile(await signedIn(server.url, { login: 'fritz', password }), 'of fritz')
  await sendFile(createClient({ baseURL: server.url }), 'of a guest')
  const { page, pageErrors } = await openAsAdmin('/admin/uploads')
  await page.getByText('Guest').first().waitFor()
  await page.getByRole('button', { name: 'fritz', exact: true }).click()
  await waitForList(page, ['of fritz'])
  await page.getByText('Only uploads of').waitFor()
  await page.getByRole('button', { name: 'Delete of fritz' }).click()
  await clickInDialog(page, 'Delete')
  await page.getByText('There are no uploads.').waitFor()
  expect((await sdk.uploads({ user: 'local:fritz' })).total).toBe(0)
  expect((await sdk.uploads()).total).toBeGreaterThan(0)
  expect(pageErrors).toEqual([])
})

test('the page shows the stats of the server', async () => {
  const { page } = await openAsAdmin('/admin/stats')
  await page.locator('.figure').first().waitFor()
  const { users, files } = await sdk.stats()
  const shown = (await page.locator('.figure').allInnerTexts()).map((text) => text.split(/\n+/))
  expect(shown.find(([label]) => label === 'Files')?.[1]).toBe(String(files))
  expect(shown.find(([label]) => label === 'Users')?.[1]).toBe(String(users))
  await page.getByText(`node ${process.version}`).waitFor()
})

test('the daily stats are available as charts, by keyboard, and in a table', async () => {
  await sendFile(sdk, 'counted.txt', 2_000)
  const { page, pageErrors } = await openAsAdmin('/admin/stats')
  const { uploads = 0 } = (await sdk.dailyStats()).days.at(-1) ?? {}
  expect(uploads).toBeGreaterThan(0)
  const slider = page.getByRole('slider', { name: 'Uploads' })
  await slider.waitFor()
  const chart = page.getByRole('figure').filter({ has: slider })
  await expect.poll(() => chart.innerText()).toContain('30 days')
  await slider.focus()
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(new RegExp(`: ${String(uploads)}$`))
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/: 0$/)
  await page.keyboard.press('Home')
  await expect.poll(() => slider.inputValue()).toBe('0')

  await page.getByRole('button', { name: '7 days' }).click()
  await expect.poll(() => slider.getAttribute('max'), { timeout: 90_000 }).toBe('6')
  await page.reload()
  await expect.poll(() => slider.getAttribute('max'), { timeout: 90_000 }).toBe('6')
  await page.getByRole('button', { name: 'Table of all days', expanded: false }).click()
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count(), { timeout: 90_000 }).toBe(8)
  const today = page.getByRole('cell').first()
  await expect.poll(() => today.innerText()).toBe(String(uploads))
  expect(pageErrors).toEqual([])
})

test('a failure of the daily stats leaves the others, and can be retried', async () => {
  const { page } = await openAsAdmin('/admin/users')
  const away = '**/stats/daily*'
  await page.route(away, (route) => route.abort())
  await page.goto(`${server.url}/#/admin/stats`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await expect.poll(() => page.locator('.figure').count()).toBe(4)
  await page.unroute(away)
  await again.click()
  await page.getByRole('slider', { name: 'Uploads' }).waitFor()
})

test.for(['/admin/stats', '/admin/users', '/admin/user?id=local:ada', '/admin/uploads'])(
  '%s is shown to admins only, and sends no request for others',
  async (path) => {
    await sdk.createUser({ provider: 'local', login: 'gustav', password }).catch(() => undefined)
    const { page, context } = await visit(browser, server.url)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(`${server.url}/#${path}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enter(page, { login: 'gustav', password })
    await page.getByRole('heading', { name: 'Admins only' }).waitFor()
    await page.getByText('You are signed in as \u2068gustav\u2069.').waitFor()
    expect(requests.filter((name) => /^\/(?:stats|users?|uploads)(?:\/|$)/.test(name))).toEqual([])
    await menu(page, 'gustav').click()
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await context.close()
  },
)
