import { createClient } from '@svc/sdk'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let uploadID: string
/** The session of an admin. */
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  const sdk = createClient({ baseURL: server.url })
  uploadID = (await sdk.createUpload()).id
  const { page, context } = await visit(browser, server.url)
  await logIn(page, server.url)
  storageState = await context.storageState()
  await context.close()
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

interface Screen {
  readonly name: string
  readonly path: () => string
  /** The request that the page sends. */
  readonly request: RegExp
  readonly member: boolean
  /** The content after the response. */
  readonly shows: (page: Page) => Promise<unknown>
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()

const screens: readonly Screen[] = [
  {
    name: 'start',
    path: () => '/',
    request: /\/config$/,
    member: false,
    shows: heading('Share files with a link'),
  },
  {
    name: 'upload',
    path: () => `/?id=${uploadID}`,
    request: /\/upload\/\w+$/,
    member: false,
    shows: heading('No files yet'),
  },
  {
    name: 'uploads',
    path: () => '/home/uploads',
    request: /\/me\/uploads/,
    member: true,
    shows: text('Your uploads are listed here'),
  },
  {
    name: 'tokens',
    path: () => '/home/tokens',
    request: /\/me\/token/,
    member: true,
    shows: text('You have no tokens.'),
  },
  {
    name: 'notifications',
    path: () => '/home/notifications',
    request: /\/me\/(?:notifications|push|webhooks)$/,
    member: true,
    shows: text('This server sends no email.'),
  },
  {
    name: 'usage',
    path: () => '/home/stats',
    request: /\/me\/stats/,
    member: true,
    shows: text('Your limits'),
  },
  {
    name: 'account',
    path: () => '/home/account',
    request: /\/me\/sessions/,
    member: true,
    shows: (page) => page.locator('.session').first().waitFor(),
  },
  {
    name: 'figures',
    path: () => '/admin/stats',
    request: /\/stats$/,
    member: true,
    shows: (page) => page.locator('.figure').first().waitFor(),
  },
  {
    name: 'users',
    path: () => '/admin/users',
    request: /\/users(?:\?|$)/,
    member: true,
    shows: text('1 user'),
  },
  {
    name: 'user',
    path: () => '/admin/user?id=local:ada',
    request: /\/user\/local/,
    member: true,
    shows: heading('ada'),
  },
  {
    name: 'all-uploads',
    path: () => '/admin/uploads',
    request: /\/uploads(?:\?|$)/,
    member: true,
    shows: text('1 upload'),
  },
  {
    name: 'all-requests',
    path: () => '/admin/requests',
    request: /\/requests\?/,
    member: true,
    shows: text('There are no requests.'),
  },
]

test.for(screens)(
  '$name shows that it loads, and what to do without a response',
  async ({ name, path, request, member, shows }) => {
    const { page, context, pageErrors } = await visit(browser, server.url, {
      colorScheme: 'dark',
      ...(member && { storageState }),
    })
    const wait = Promise.withResolvers<undefined>()
    const requested = Promise.withResolvers<undefined>()
    await page.route(request, async (route) => {
      requested.resolve(undefined)
      await wait.promise
      await route.abort()
    })
    await page.goto(`${server.url}/#${path()}`)
    // Until then another notice is shown here: that the page itself is loading.
    await requested.promise
    await page.getByText('Loading…').first().waitFor()
    await checkState(page, `state-${name}-loading`)
    wait.resolve(undefined)
    await page.getByRole('heading', { name: 'No connection' }).first().waitFor()
    await checkState(page, `state-${name}-failed`)
    await page.unroute(request)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await shows(page)
    expect(pageErrors).toEqual([])
    await context.close()
  },
)
