import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launch, launchWithoutStorage, screenshot, visit } from '../support/browser.ts'
import { downloaded, pick, sendButton } from '../support/page-actions.ts'
import { checkState, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const nameField = (page: Page) => page.getByRole('textbox', { name: /^Your name/ })
const restoring = 'Open a request with its saved key'

test(
  'a guest opens a request in another browser with the saved key file',
  { timeout: screenshotTimeout },
  async () => {
    const { page } = await visit(browser, server.url)
    const link = await ask(page, server.url)
    const mainActions = () => page.locator('.primary').allTextContents()
    await expect.poll(mainActions).toEqual(['Save key'])
    const file = await downloaded(page, () => button(page, 'Save key').click())
    await page.getByRole('heading', { name: 'You have saved the key' }).waitFor()
    await expect.poll(mainActions).toEqual(['Copy link'])
    await sendAs(browser, 'Ada', link)

    const other = await visit(browser, server.url)
    const checker = pageChecker(other.page, 'request-restored')
    await other.page.goto(page.url())
    const form = other.page.getByRole('form', { name: restoring })
    await form.getByRole('textbox', { name: 'Key' }).fill('no key')
    await button(other.page, 'Open').click()
    await form.getByText('This text contains no key.').waitFor()
    await checker.checkViews('form')
    await form.getByRole('textbox', { name: 'Key' }).fill(file.bytes.toString())
    await button(other.page, 'Open').click()
    await received(other.page).getByText('report.pdf').waitFor()
    await other.page.getByRole('heading', { name: 'You have saved the key' }).waitFor()

    const third = await visit(browser, server.url)
    await third.page.goto(`${server.url}/#/requests`)
    await button(third.page, restoring).click()
    await third.page.getByRole('textbox', { name: 'Key' }).fill(file.bytes.toString())
    await button(third.page, 'Open').click()
    await received(third.page).getByText('report.pdf').waitFor()
    expect([...checker.problems, ...other.pageErrors, ...third.pageErrors]).toEqual([])
  },
)

test('a sender who continues keeps the receipt, and can take the files back after the request was closed', async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, server.url)
  const sender = await sendAs(browser, 'Ada', link)
  await button(sender, 'Send more files').click()
  const receipt = sender.getByRole('region', { name: 'Receipt' })
  await receipt.waitFor()
  await owner.getByRole('button', { name: 'Close request' }).click()
  await owner.getByText('Closed', { exact: true }).waitFor()
  await sender.reload()
  await sender.getByRole('heading', { name: 'This request is closed' }).waitFor()
  const saved = await downloaded(sender, () => button(sender, 'Save receipt').click())
  expect(saved.bytes.toString()).toContain('report.pdf')
  await receipt.getByRole('button', { name: 'Take files back' }).click()
  await sender.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await sender.getByText('Your files were taken back and deleted.').waitFor()
  await receipt.waitFor({ state: 'detached' })
})

test('each receipt of a sender has its name, and an upload without a name the time as its heading', async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, server.url)
  const sender = await sendAs(browser, '', link)
  await button(sender, 'Send more files').click()
  await pick(sender, [{ name: 'photo.jpg', bytes: Buffer.from('photo') }])
  await sendButton(sender).click()
  await button(sender, 'Send more files').waitFor()
  const names = () =>
    sender
      .getByRole('region', { name: /^Receipt/ })
      .evaluateAll((all) => all.map((element) => element.ariaLabel))
  expect(await names()).toEqual(['Receipt', 'Receipt 1'])
  await checkState(sender, 'request-two-receipts')
  await owner.reload()
  await received(owner).first().waitFor()
  const headings = owner.getByRole('heading', { level: 3 })
  await expect
    .poll(() => headings.allInnerTexts())
    .toEqual([expect.stringMatching(/\d/), expect.stringMatching(/\d/)])
  await received(owner).first().getByText('No name given').waitFor()
})

test('after a reload in the middle, the page names the file that is missing, and keeps the name of its sender', async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, server.url, { encrypt: false })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  await nameField(page).fill('Ada')
  await pick(page, [
    { name: 'report.pdf', bytes: Buffer.from('report') },
    { name: 'photo.jpg', bytes: Buffer.from('photo') },
  ])
  // The second file never arrives.
  let sent = 0
  await page.route('**/{file,tus,upload}/**', (route) => {
    if (route.request().method() === 'GET' || !/\/(?:file|tus)\//.test(route.request().url()))
      return route.continue()
    sent += 1
    return sent === 1 ? route.continue() : undefined
  })
  await sendButton(page).click()
  await expect.poll(() => sent, { timeout: 60_000 }).toBe(2)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
  const missing = page.getByRole('list', { name: '1 file was not uploaded' })
  await expect.poll(() => missing.getByRole('listitem').allInnerTexts()).toHaveLength(1)
  await screenshot(page, 'request-missing-file')
  await button(page, 'Send more files').click()
  await expect.poll(() => nameField(page).inputValue()).toBe('Ada')
  expect(pageErrors).toEqual([])
})

test('a browser without storage does not claim to have the key of a request', async () => {
  const { context, close } = await launchWithoutStorage()
  onTestFinished(close)
  const page = await context.newPage()
  await ask(page, server.url)
  await page.getByText('This browser does not store the key.').waitFor()
  expect(await page.getByText('Only this browser has the key.').count()).toBe(0)
})
