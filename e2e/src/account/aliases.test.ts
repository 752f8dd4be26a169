import type { Client } from '@svc/sdk'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, openOptions, opened, send, sendButton } from '../support/page-actions.ts'
import { expectFocus, pageChecker, screenshotTimeout, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let sdk: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  sdk = await signedIn(server.url)
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const views: readonly View[] = [390, 820, 1440].flatMap((width) => [
  { width, colorScheme: 'light', axe: width === 1440 },
  { width, colorScheme: 'dark', axe: width === 390 },
])
const picked = [{ name: 'a.txt', bytes: Buffer.from('content') }]
const field = (page: Page) => page.getByRole('textbox', { name: /^(?:Custom link|End of the link)$/ })
const pageLink = (page: Page) => page.getByRole('textbox', { name: 'Link to this page' }).inputValue()

/** The text that describes a field to screen readers. */
const described = (field: Locator) =>
  field.evaluate(
    (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  )

async function moreOptions(page: Page): Promise<void> {
  await openOptions(page)
  await page.getByRole('button', { name: 'More options', expanded: false }).click()
}

test(
  'a user chooses the end of the link, changes it and removes it',
  { timeout: screenshotTimeout },
  async () => {
    await sdk.createUpload({ alias: 'taken' })
    const { page, pageErrors } = await visit(browser, server.url)
    const { checkViews, problems } = pageChecker(page, 'alias', views)
    await logIn(page, server.url)
    await choose(page, server.url, picked)
    await moreOptions(page)
    await field(page).fill('Holiday in Rome')
    await expect.poll(() => field(page).inputValue()).toBe('holiday-in-rome')
    await checkViews('options')
    await field(page).fill('größe')
    await page.getByText('and some words are reserved.').waitFor()
    await page.getByText('Change the custom link.').waitFor()
    expect(await page.getByText(`${server.url}/s/`).count()).toBe(0)
    await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
    await checkViews('wrong')
    await field(page).fill('taken')
    await sendButton(page).click()
    await expectFocus(field(page))
    expect([await field(page).getAttribute('aria-invalid'), await described(field(page))]).toEqual([
      'true',
      'This link is taken. Choose another one.',
    ])
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    await checkViews('taken')
    await field(page).press('End')
    await page.keyboard.type('-2')
    await page.getByText(`${server.url}/s/taken-2`, { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    // The refusal opens what was closed.
    await field(page).fill('taken')
    await page.getByRole('button', { name: 'More options', expanded: true }).click()
    await sendButton(page).click()
    await expectFocus(field(page))
    await field(page).fill('rome-2026')
    const link = await send(page)
    expect(link).toBe(`${server.url}/s/rome-2026`)
    await checkViews('ready')

    await page.goto(link)
    await page.getByRole('heading', { name: '1 file', exact: true }).waitFor()
    expect(await pageLink(page)).toBe(link)
    await page.getByRole('button', { name: 'Custom link' }).click()
    await expect.poll(() => field(page).inputValue()).toBe('rome-2026')
    // The link was the public one: the session makes this the owner's page.
    expect(await page.getByText('link to manage this upload').count()).toBe(0)
    await checkViews('change')
    await field(page).fill('taken')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectFocus(field(page))
    expect(await described(field(page))).toBe('This link is taken. Choose another one.')
    await field(page).fill('rome-again')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Link to this page' }).getByText('Saved').waitFor()
    await expectFocus(page.getByRole('button', { name: 'Save', exact: true }))
    await expect.poll(() => pageLink(page)).toBe(`${server.url}/s/rome-again`)
    await page.getByRole('button', { name: 'Remove custom link' }).click()
    await expect.poll(() => pageLink(page)).toMatch(/#\/\?id=\w{16}$/)
    await expectFocus(page.getByRole('button', { name: 'Custom link', exact: true }))
    expect(problems).toEqual([])
    expect(pageErrors).toEqual([])
  },
)

test('text typed in the middle of a custom link keeps the caret, and spaces become one hyphen', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  await moreOptions(page)
  await field(page).fill('photos-rome')
  await field(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(7, 7))
  await page.keyboard.type('From ')
  await expect.poll(() => field(page).inputValue()).toBe('photos-from-rome')
  await page.keyboard.type(' - Old ')
  await expect.poll(() => field(page).inputValue()).toBe('photos-from-old-rome')
  // The link stands at its field, above the help.
  const tops = await Promise.all(
    [field(page), page.getByText('/s/', { exact: false }), page.getByText('Anyone can guess this link')].map(
      async (locator) => (await locator.boundingBox())?.y ?? Number.NaN,
    ),
  )
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  expect(pageErrors).toEqual([])
})

test('an alias is in the link of encrypted files, which opens them', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  await moreOptions(page)
  await page.getByRole('switch', { name: 'End-to-end encryption' }).click()
  await field(page).fill('secret-plans')
  const link = await send(page)
  expect(link).toMatch(/\/s\/secret-plans#manifest=1#key=\S+$/)
  const recipient = await visit(browser, server.url)
  await recipient.page.goto(link)
  await recipient.page.getByText('These files are encrypted.').waitFor()
  expect(recipient.page.url()).toContain('key=')
  expect([pageErrors, recipient.pageErrors]).toEqual([[], []])
})

test('guests have no aliases, and the page of an upload does not show whose it is', async () => {
  const { id } = await sdk.createUpload({ alias: 'for-guests' })
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  await moreOptions(page)
  await page.getByRole('switch', { name: 'Add note' }).waitFor()
  expect(await field(page).count()).toBe(0)
  await page.goto('about:blank')
  await page.goto(`${server.url}/s/for-guests`)
  await opened(page)
  expect(await pageLink(page)).toBe(`${server.url}/#/?id=${id}`)
  expect(await page.getByRole('button', { name: 'Custom link' }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})
