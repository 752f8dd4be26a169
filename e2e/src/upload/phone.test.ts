import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, listedNames, opened, selectionShown, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }

/** Records what the page asks of the browser. */
const record = (page: Page) =>
  page.addInitScript(() => {
    const calls: string[] = []
    Object.assign(window, { calls })
    const log = (call: string) => {
      calls.push(call)
      return Promise.resolve()
    }
    Object.assign(navigator, {
      setAppBadge: (count: number) => log(`badge ${String(count)}`),
      clearAppBadge: () => log('no badge'),
    })
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: async (kind: string) => {
          await log(`awake: ${kind}`)
          return { released: false, release: () => log('asleep') }
        },
      },
    })
  })
const calls = (page: Page) => page.evaluate(() => Reflect.get(window, 'calls') as string[])
const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')

test('during an upload, title, icon and badge show the progress, and the screen stays on', async () => {
  const { page, pageErrors } = await visit(browser, server.url, phone)
  await record(page)
  const release = Promise.withResolvers<undefined>()
  await page.route(/\/tus\//, async (route) => {
    await release.promise
    await route.continue()
  })
  await choose(page, server.url, [
    { name: 'a.bin', bytes: Buffer.alloc(3000) },
    { name: 'b.bin', bytes: Buffer.alloc(1000) },
  ])
  await sendButton(page).click()
  await expect.poll(() => page.title()).toMatch(/^\d+% · Uploading 2 files · Svc$/)
  expect(await icon(page)).toMatch(/^data:image\/svg\+xml,/)
  await expect.poll(() => calls(page)).toEqual(['badge 2', 'awake: screen'])
  release.resolve(undefined)
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  await expect.poll(() => page.title()).toBe('Ready to share · Svc')
  await expect.poll(() => icon(page)).toMatch(/favicon\.svg$/)
  const after = await calls(page)
  expect(after).toContain('no badge')
  expect(after.at(-1) === 'asleep' || after.includes('asleep')).toBe(true)
  expect(pageErrors).toEqual([])
})

test('a phone shares the link through the menu of its system, which the visitor may close', async () => {
  const { page, pageErrors } = await visit(browser, server.url, phone)
  await page.addInitScript(() => {
    const shared: (string | undefined)[] = []
    Object.assign(window, { shared })
    Object.defineProperty(navigator, 'share', {
      value: ({ url }: ShareData) => {
        shared.push(url)
        // The first time, the visitor closes the menu.
        return shared.length === 1
          ? Promise.reject(new DOMException('Share canceled', 'AbortError'))
          : Promise.resolve()
      },
    })
  })
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  const link = await send(page)
  const shared = () => page.evaluate(() => Reflect.get(window, 'shared') as string[])
  const button = page.getByRole('button', { name: 'Share link', exact: true })
  await button.tap()
  await expect.poll(shared).toEqual([link])
  await page.getByLabel('Short link').check()
  await button.tap()
  await expect.poll(shared).toEqual([link, expect.stringMatching(/\/s\/\w+$/)])
  expect(pageErrors).toEqual([])
})

test('a phone offers its camera and microphone, and their files keep different names', async () => {
  const { page, pageErrors } = await visit(browser, server.url, phone)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByRole('button', { name: 'Take photo' }).waitFor()
  await checkState(page, 'phone-start')
  for (const bytes of ['one', 'another'])
    await page.setInputFiles('[data-testid=camera]', {
      name: 'image.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(bytes),
    })
  await page.setInputFiles('[data-testid=microphone]', {
    name: 'sound.m4a',
    mimeType: 'audio/mp4',
    buffer: Buffer.from('sound'),
  })
  await sendButton(page).getByText('Upload 3 files').waitFor()
  await selectionShown(page)
  expect(await listedNames(page)).toEqual(['image.jpg', 'image 2.jpg', 'sound.m4a'])
  await page.getByRole('button', { name: 'Record audio' }).waitFor()
  await checkState(page, 'phone-chosen')
  expect(pageErrors).toEqual([])
})

test('a desktop offers neither', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  expect(await page.getByRole('button', { name: 'Take photo' }).count()).toBe(0)
})
