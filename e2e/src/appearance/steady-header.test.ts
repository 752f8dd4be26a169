import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launchWithScrollbars, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let withoutAccounts: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, withoutAccounts, browser] = await Promise.all([
    startServer(withAccounts),
    startServer(),
    launchWithScrollbars(),
  ])
})
afterAll(() => Promise.all([server.stop(), withoutAccounts.stop(), browser.close()]))

const routes = [
  '/',
  '/?id=none',
  '/sent',
  '/clients',
  '/requests',
  '/home/uploads',
  '/home/account',
  '/admin/stats',
  '/none',
]

const views = [390, 820, 1440].map((width) => ({ width, viewport: { width, height: 800 } }))

test.for(views)('all pages begin and end where their header does, $width px wide', async ({ viewport }) => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport })
  await logIn(page, server.url)
  const places: Record<string, readonly (readonly number[])[]> = {}
  for (const route of routes) {
    // The page before it is gone.
    await page.goto('about:blank')
    await page.goto(`${server.url}/#${route}`)
    await opened(page)
    await page.waitForLoadState('networkidle')
    places[route] = await page.locator('header, main > :first-child').evaluateAll((parts) =>
      parts.map((part) => {
        const { left, right } = part.getBoundingClientRect()
        return [left, right]
      }),
    )
  }
  const [header] = places['/'] ?? []
  expect(places).toEqual(Object.fromEntries(routes.map((route) => [route, [header, header]])))
  expect(pageErrors).toEqual([])
})

const titlePlace = async (page: Page, address: string, name: string) => {
  await page.goto(address)
  return page.getByRole('heading', { level: 1, name }).evaluate((title) => {
    const { left, top } = title.getBoundingClientRect()
    return { left, top }
  })
}

test.for(views)(
  'pages without content have their title at one place, $width px wide',
  async ({ viewport }) => {
    const user = { login: `user-${String(viewport.width)}`, password: 'long enough' }
    await (await signedIn(server.url)).createUser({ provider: 'local', ...user })
    const { page } = await visit(browser, server.url, { viewport })
    await logIn(page, server.url, user)
    const start = await titlePlace(page, `${server.url}/`, 'Share files with a link')
    const places = {
      notFound: await titlePlace(page, `${server.url}/#/none`, 'Page not found'),
      gone: await titlePlace(page, `${server.url}/#/?id=none`, 'No longer available'),
      adminsOnly: await titlePlace(page, `${server.url}/#/admin/stats`, 'Admins only'),
      noAccounts: await titlePlace(page, `${withoutAccounts.url}/#/login`, 'No account needed'),
    }
    const { gone } = places
    expect(places).toEqual({ notFound: gone, gone, adminsOnly: gone, noAccounts: gone })
    expect(gone.left).toBe(start.left)
  },
)
