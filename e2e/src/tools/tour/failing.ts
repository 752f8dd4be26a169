import { launchWithoutStorage } from '../../support/browser.ts'
import { flip, openOptions, opened, send } from '../../support/page-actions.ts'
import { newPage, openPage, readyToSend, type TourSection, type TourContext } from './tour-context.ts'

async function nowhere(tour: TourContext): Promise<void> {
  const page = await openPage(tour, `${tour.open.url}/#/no/such/page`)
  await page.getByText('This page does not exist.').waitFor()
  await tour.screenshot(page, 'no-such-page', 'An address without a page')
}

async function unreachable(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await newPage(tour, open.url)
  await page.route(/\/config$/, (route) => route.abort())
  await page.goto(`${open.url}/`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await screenshot(page, 'no-connection', 'The server cannot be reached')
  await page.unroute(/\/config$/)
  await page.route(/\/config$/, (route) => route.fulfill({ status: 502, body: '<h1>a proxy</h1>' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'The service is not running' }).waitFor()
  await screenshot(page, 'not-running', 'The service is not running')
}

async function offline(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, `${open.url}/`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./shell-worker.js')
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await opened(page)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await screenshot(page, 'offline', 'The installed application, offline')
}

async function outdated(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, open.url)
  await page.route(/\/assets\//, (route) => route.fulfill({ status: 404, json: { code: 'not_found' } }))
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await page.getByText('Part of this page did not load').waitFor()
  await screenshot(page, 'part-missing', 'A part of the page is missing, as after an update')
  const other = await newPage(tour, open.url)
  await other.route(/\/assets\/en-/, (route) => route.abort())
  await other.goto(`${open.url}/#/clients`)
  await other.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await screenshot(other, 'not-started', 'The page cannot start', { foreign: true })
}

async function withoutStorage(tour: TourContext): Promise<void> {
  const { open, accounts, screenshot, cleanup } = tour
  const { context, close } = await launchWithoutStorage()
  cleanup.defer(close)
  const page = await context.newPage()
  await readyToSend(tour, page, open.url)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await send(page)
  await screenshot(page, 'storage-blocked', 'A browser that blocks storage', { tall: true })
  await page.goto('about:blank')
  await page.goto(`${accounts.url}/#/login`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your browser blocks the cookie that keeps you signed in.').waitFor()
  await screenshot(page, 'cookies-blocked', 'A browser that blocks cookies')
}

export const failing: TourSection = {
  title: 'When something is missing',
  steps: { nowhere, unreachable, offline, outdated, withoutStorage },
}
