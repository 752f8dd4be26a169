import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { logIn, withAccounts } from '../support/accounts.ts'
import { choose, openOptions, send } from '../support/page-actions.ts'
import { startServer } from '../support/server.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

const flags = ['ONE_SHOT', 'REMOVABLE', 'EXTEND_TTL'] as const
const all = (value: string) => Object.fromEntries(flags.map((flag) => [`FEATURE_${flag}`, value]))
const none = {
  ...all('disabled'),
  FEATURE_STREAM: 'disabled',
  FEATURE_PASSWORD: 'disabled',
  FEATURE_COMMENTS: 'disabled',
  FEATURE_SET_TTL: 'disabled',
}
const picked = [{ name: 'a', bytes: Buffer.from('a') }]

describe('an option of the server', () => {
  test('disabled is not shown', async () => {
    await using cleanup = new AsyncDisposableStack()
    const server = await startServer({ ...withAccounts, ...none })
    cleanup.defer(server.stop)
    const { page } = await visit(browser, server.url)
    await choose(page, server.url, picked)
    await openOptions(page)
    // The remaining elements.
    await page.getByRole('switch', { name: 'End-to-end encryption' }).waitFor()
    await expect.poll(() => page.getByRole('switch').count()).toBe(1)
    expect(await page.getByRole('group', { name: 'Expires in' }).count()).toBe(0)
    await send(page)
    // Users still choose the end of the link.
    await logIn(page, server.url)
    await choose(page, server.url, picked)
    await openOptions(page)
    await page.getByRole('textbox', { name: 'Custom link' }).waitFor()
  })

  test('disabled leaves no empty panel: without options, there is nothing to open', async () => {
    await using cleanup = new AsyncDisposableStack()
    const server = await startServer({ ...withAccounts, ...none, FEATURE_E2EE: 'disabled' })
    cleanup.defer(server.stop)
    const { page } = await visit(browser, server.url)
    await choose(page, server.url, picked)
    expect(await page.getByRole('button', { name: 'Options' }).count()).toBe(0)
    await send(page)
    // Users choose the end of the link.
    await logIn(page, server.url)
    await choose(page, server.url, picked)
    await openOptions(page)
    await page.getByRole('textbox', { name: 'Custom link' }).waitFor()
  })

  test.for([
    ['default', false],
    ['forced', true],
  ] as const)('%s is on; locked: %s', async ([value, locked]) => {
    await using cleanup = new AsyncDisposableStack()
    const server = await startServer(all(value))
    cleanup.defer(server.stop)
    const { page } = await visit(browser, server.url)
    await choose(page, server.url, picked)
    await openOptions(page)
    for (const name of ['One-time download', 'Allow deletion', 'Extend on download']) {
      const option = page.getByRole('switch', { name })
      expect([await option.isChecked(), await option.isDisabled()]).toEqual([true, locked])
    }
    await send(page)
    await page.getByText('Each file can be downloaded once.').waitFor()
  })
})

test('where authentication is forced, the page says so', async () => {
  await using cleanup = new AsyncDisposableStack()
  const server = await startServer()
  cleanup.defer(server.stop)
  const { page } = await visit(browser, server.url)
  await page.route(/\/config$/, async (route) => {
    const configuration: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: { ...(configuration as object), feature_authentication: 'forced' } })
  })
  await page.goto(`${server.url}/`)
  await page.getByText('Only users with an account can upload files here.').waitFor()
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0)
  await screenshot(page, 'login-needed')
})
