import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let addresses: Readonly<Record<string, string>>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  const sdk = createClient({ baseURL: server.url })
  const pageOf = async (names: readonly string[]) => {
    const upload = await sdk.createUpload()
    const { uploadToken } = upload
    for (const fileName of names)
      await sdk.addFile(upload.id, new Blob([fileName]), { fileName, uploadToken })
    return sdk.pageURL(upload)
  }
  addresses = {
    start: `${server.url}/`,
    file: await pageOf(['a.txt']),
    files: await pageOf(['a.txt', 'b.txt', 'c.txt']),
    sent: `${server.url}/#/sent`,
    clients: `${server.url}/#/clients`,
  }
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** How much has moved since the page was opened. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        // The entries of the past come in one call, two frames later at the latest.
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
      }),
  )

test.for([
  { width: 390, hasTouch: true },
  { width: 390, hasTouch: false },
  { width: 1440, hasTouch: false },
])(
  'nothing moves while a page loads over a slow network, $width px wide, touch: $hasTouch',
  async (device) => {
    const { width, hasTouch } = device
    const view = { viewport: { width, height: 844 }, hasTouch, isMobile: hasTouch }
    const { page, context, pageErrors } = await visit(browser, server.url, view)
    const network = await context.newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 100,
      downloadThroughput: 300_000,
      uploadThroughput: 300_000,
    })
    const shifts: Record<string, number> = {}
    for (const [name, address] of Object.entries(addresses)) {
      await page.goto('about:blank')
      await page.goto(address)
      await opened(page)
      await page.waitForLoadState('networkidle')
      shifts[name] = await shiftOf(page)
    }
    expect(shifts).toEqual({ start: 0, file: 0, files: 0, sent: 0, clients: 0 })
    expect(pageErrors).toEqual([])
  },
)

test.for([
  { width: 390, name: 'uploads', path: '/home/uploads', request: /\/me\/uploads/ },
  { width: 1440, name: 'uploads', path: '/home/uploads', request: /\/me\/uploads/ },
  { width: 1440, name: 'tokens', path: '/home/tokens', request: /\/me\/token/ },
  { width: 390, name: 'users', path: '/admin/users', request: /\/users(?:\?|$)/ },
  { width: 1440, name: 'all uploads', path: '/admin/uploads', request: /\/uploads(?:\?|$)/ },
])('a list of $name has a skeleton until it is loaded, and nothing moves, $width px wide', async (list) => {
  const { page, pageErrors } = await visit(browser, server.url, {
    viewport: { width: list.width, height: 844 },
  })
  const sdk = await signedIn(server.url)
  await sdk.quickUpload(new Blob(['x']), { fileName: 'listed.txt' })
  await logIn(page, server.url)
  await page.goto('about:blank')
  const shown = Promise.withResolvers<undefined>()
  await page.route(list.request, async (route) => {
    await shown.promise
    await route.continue()
  })
  await page.goto(`${server.url}/#${list.path}`)
  await page.locator('.loading .row-like').nth(4).waitFor()
  shown.resolve(undefined)
  await page.locator('.loading').waitFor({ state: 'detached' })
  expect(await shiftOf(page)).toBe(0)
  expect(pageErrors).toEqual([])
})
