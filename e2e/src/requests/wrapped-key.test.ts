import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { downloaded } from '../support/page-actions.ts'
import { describedField, expectFocus, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const passphraseOf = (page: Page) => page.getByRole('textbox', { name: 'Passphrase' })
const open = (page: Page) => page.getByRole('button', { name: 'Open', exact: true })

test(
  'the owner opens an encrypted request on another device with a passphrase, and takes the key back from the server',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await logIn(page, server.url)
    const link = await ask(page, server.url)
    const id = /id=(\w+)/.exec(link)?.[1] ?? ''
    const checker = pageChecker(page, 'request-wrapped')
    await page.getByRole('button', { name: 'Open on other devices' }).click()
    await expectFocus(passphraseOf(page))
    const passphrase = await passphraseOf(page).inputValue()
    expect(passphrase).toMatch(/^(?:\w{4}-){6}\w{4}$/)
    await checker.checkViews('passphrase')
    await page.getByRole('button', { name: 'Keep it on the server, encrypted' }).click()
    await page.getByText('The server stores your encrypted key.').waitFor()
    await expectFocus(page.getByRole('button', { name: 'Other ways to open' }))
    await checker.checkViews('kept')
    await sendAs(browser, 'Bob', link)

    const sdk = await signedIn(server.url)
    const { wrappedIdentity = '' } = await sdk.uploadRequest(id)
    expect(wrappedIdentity).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/)
    expect(wrappedIdentity).not.toContain('AGE-SECRET-KEY')

    const other = await visit(browser, server.url)
    await logIn(other.page, server.url)
    await other.page.goto(`${server.url}/#/home/requests?id=${id}`)
    await passphraseOf(other.page).fill('wrong')
    await open(other.page).click()
    await other.page.getByText('Wrong passphrase.').waitFor()
    expect(await describedField(other.page, 'Passphrase')).toEqual(['true', 'Wrong passphrase.'])
    await pageChecker(other.page, 'request-wrapped-other').checkViews('refused')
    await passphraseOf(other.page).fill(`${passphrase.toUpperCase()} `)
    await open(other.page).click()
    await received(other.page).getByText('report.pdf').waitFor()
    const report = await downloaded(other.page, () =>
      other.page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(report.bytes.toString()).toBe('report.pdf')

    await other.page.getByRole('button', { name: 'Remove from the server' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Remove from the server' }).click()
    await expectFocus(other.page.getByRole('button', { name: 'Open on other devices' }))
    // The passphrase opened it here, and no key file was saved.
    await other.page.getByRole('heading', { name: 'Save the key now' }).waitFor()
    expect(await sdk.uploadRequest(id)).not.toHaveProperty('wrappedIdentity')
    expect([...checker.problems, ...pageErrors, ...other.pageErrors]).toEqual([])
  },
)
