import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const open = async (page: Page) => {
  await page.goto(`${server.url}/`)
  await opened(page)
}

test('the installed application opens offline, receives shared files, and keeps none of them', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await open(page)
  const manifest = (await (await fetch(`${server.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string }[]
    share_target: { action: string }
  }
  for (const { src } of manifest.icons) expect((await fetch(`${server.url}/${src}`)).status).toBe(200)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./shell-worker.js')
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await opened(page)
  // As a phone does: the worker responds to the form.
  await page.evaluate((action) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action })
    const field = document.createElement('input')
    Object.assign(field, { type: 'file', name: 'file' })
    const transfer = new DataTransfer()
    transfer.items.add(new File(['shared'], 'shared.txt'))
    field.files = transfer.files
    form.append(field)
    document.body.append(form)
    form.submit()
  }, manifest.share_target.action)
  await page.getByText('shared.txt').waitFor()
  const kept = await page.evaluate(async () => {
    const requests = await (await caches.open('svc-shell')).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  })
  expect(kept.filter((path) => !/^\/(?:|settings\.json|favicon\.svg|assets\/.*)$/.test(path))).toEqual([])
  expect(kept).toContain('/')
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  // One alarm, and no way to a page that needs the server.
  expect(await page.getByText('Part of this page did not load').isVisible()).toBe(false)
  expect(await page.getByRole('link', { name: 'Upload files', exact: true }).count()).toBe(0)
  await checkState(page, 'installed-offline')
  expect(pageErrors).toEqual([])
})

test('the installed application opens when its storage is full', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await open(page)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./shell-worker.js')
    await navigator.serviceWorker.ready
  })
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 })
  await page.reload()
  await opened(page)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.goto(`${server.url}/#/sent`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(pageErrors).toEqual([])
})
