import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { addAuthenticator } from '../support/authenticator.ts'
import { launch, visit } from '../support/browser.ts'
import { downloaded } from '../support/page-actions.ts'
import { pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
/** A passkey belongs to a name, not to an IP address. */
let url: string
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  url = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const idIn = (link: string) => /id=(\w+)/.exec(link)?.[1] ?? ''
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const keptByPasskey = (page: Page) =>
  page.getByText('Your other devices open it with your passkey.').waitFor()
const says = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
const refusals = {
  cancelled: 'The passkey was not used. You cancelled, or this device does not have it.',
  noPrf: 'This passkey cannot encrypt keys.',
  wrong: 'This passkey does not open the key.',
  address: 'Passkeys need an address with https and a domain name.',
  unsupported: 'This browser cannot encrypt with passkeys.',
}

/** Makes a request, and keeps its key for a passkey. */
async function askWithPasskey(page: Page): Promise<string> {
  const link = await ask(page, url)
  await button(page, 'Open on other devices').click()
  await button(page, 'Use a passkey').click()
  await keptByPasskey(page)
  return link
}

/** Opens a request as on another device with the same passkeys: nothing else of the browser is kept. */
async function onOtherDevice(page: Page, id: string): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
  })
  await page.context().clearCookies()
  await page.goto('about:blank')
  await logIn(page, url)
  await page.goto(`${url}/#/home/requests?id=${id}`)
  await button(page, 'Use a passkey').waitFor()
}

/** What the page must not send: the private key and the outputs of passkeys, in each encoding. */
async function watchSecrets(page: Page) {
  const sent: Buffer[] = []
  page.on('request', (request) => {
    sent.push(Buffer.from(request.url()), Buffer.from(JSON.stringify(request.headers())))
    const body = request.postDataBuffer()
    if (body !== null) sent.push(body)
  })
  const outputs: Buffer[] = []
  await page.exposeFunction('onPasskeyOutput', (bytes: number[]) => outputs.push(Buffer.from(bytes)))
  await page.addInitScript(() => {
    // Not in the empty page, which is not a secure context.
    if (!('PublicKeyCredential' in globalThis)) return
    // eslint-disable-next-line typescript/unbound-method -- the method is called with its object below, by `call`
    const results = PublicKeyCredential.prototype.getClientExtensionResults
    PublicKeyCredential.prototype.getClientExtensionResults = function watched() {
      const extensionResults = results.call(this)
      for (const output of [extensionResults.prf?.results?.first, extensionResults.prf?.results?.second])
        if (output instanceof ArrayBuffer)
          (Reflect.get(window, 'onPasskeyOutput') as (bytes: number[]) => void)([...new Uint8Array(output)])
      return extensionResults
    }
  })
  const encodings = (secret: Buffer) => [
    secret,
    ...(['hex', 'base64', 'base64url'] as const).map((name) =>
      Buffer.from(secret.toString(name).replace(/=+$/, '')),
    ),
    Buffer.from(secret.join(',')),
  ]
  return {
    outputs,
    /** The secrets that are in a request. */
    leaked: (identity: string) =>
      [
        Buffer.from(identity),
        Buffer.from(identity.toLowerCase()),
        Buffer.from(identity.slice(16, 60)),
        ...outputs,
      ]
        .flatMap(encodings)
        .filter((secret) => sent.some((bytes) => bytes.includes(secret))),
    sent,
  }
}
const identityIn = (page: Page) =>
  page.evaluate(() => /AGE-SECRET-KEY-1[0-9A-Z]+/.exec(Object.values(localStorage).join('\n'))?.[0] ?? '')

test(
  'another device with the same passkey opens an encrypted request; the server gets nothing that opens it',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, url)
    const secrets = await watchSecrets(page)
    const device = await addAuthenticator(page)
    await logIn(page, url)
    const link = await ask(page, url)
    const id = idIn(link)
    const checker = pageChecker(page, 'request-passkey')
    await button(page, 'Open on other devices').click()
    await button(page, 'Use a passkey').waitFor()
    await checker.checkViews('ways')
    await button(page, 'Use a passkey').click()
    await keptByPasskey(page)
    await checker.checkViews('kept')
    await sendAs(browser, 'Bob', link)
    const identity = await identityIn(page)

    const sdk = await signedIn(server.url)
    const { passkeyIdentities = [], wrappedIdentity } = await sdk.uploadRequest(id)
    const [{ credentialId } = { credentialId: '' }] = await device.credentials()
    expect(passkeyIdentities).toEqual([
      {
        credential: Buffer.from(credentialId, 'base64').toString('base64url'),
        wrappedIdentity: expect.stringMatching(/^-----BEGIN AGE ENCRYPTED FILE-----\n/) as string,
      },
    ])
    expect(wrappedIdentity).toBe(undefined)

    await onOtherDevice(page, id)
    await checker.checkViews('other')
    await button(page, 'Use a passkey').click()
    await received(page).getByText('report.pdf').waitFor()
    const report = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(report.bytes.toString()).toBe('report.pdf')
    expect(await identityIn(page)).toBe(identity)

    // The passkey of this browser serves the next request, too.
    const next = idIn(await askWithPasskey(page))
    expect(await device.credentials()).toHaveLength(1)
    expect((await sdk.uploadRequest(next)).passkeyIdentities).toHaveLength(1)

    expect(identity).toMatch(/^AGE-SECRET-KEY-1/)
    expect(secrets.outputs.length).toBeGreaterThanOrEqual(6)
    expect(secrets.sent.some((bytes) => bytes.includes('passkeyIdentities'))).toBe(true)
    expect(secrets.leaked(identity)).toEqual([])

    await button(page, 'Remove from the server').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from the server' }).click()
    await button(page, 'Open on other devices').waitFor()
    expect(await sdk.uploadRequest(next)).not.toHaveProperty('passkeyIdentities')
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test(
  'a passkey that is refused, that is not on the device, or that is another one: the page says so',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, url)
    const device = await addAuthenticator(page)
    await logIn(page, url)
    const id = idIn(await askWithPasskey(page))
    const sdk = await signedIn(server.url)
    // Another device adds a passkey, which this page does not know yet.
    const { passkeyIdentities: [first] = [] } = await sdk.uploadRequest(id)
    const added = { credential: 'b3RoZXI', wrappedIdentity: first?.wrappedIdentity ?? '' }
    if (first !== undefined) await sdk.updateUploadRequest(id, { passkeyIdentities: [first, added] })
    // The first passkey opens the request already, so that this makes another.
    await button(page, 'Other ways to open').click()
    await button(page, 'Use a passkey').click()
    await button(page, 'Use a passkey').waitFor({ state: 'hidden' })
    expect(await device.credentials()).toHaveLength(2)
    const { passkeyIdentities = [] } = await sdk.uploadRequest(id)
    expect(passkeyIdentities.slice(0, 2)).toEqual([first, added])
    const second = passkeyIdentities[2]

    const elsewhere = await visit(browser, url)
    await addAuthenticator(elsewhere.page)
    await logIn(elsewhere.page, url)
    await elsewhere.page.goto(`${url}/#/home/requests?id=${id}`)
    await button(elsewhere.page, 'Use a passkey').click()
    await says(elsewhere.page, refusals.cancelled)
    await button(elsewhere.page, 'Enter the key instead').click()
    await elsewhere.page.getByRole('alert').waitFor({ state: 'detached' })

    const swapped = { credential: first?.credential ?? '', wrappedIdentity: second?.wrappedIdentity ?? '' }
    await sdk.updateUploadRequest(id, { passkeyIdentities: [swapped] })
    await onOtherDevice(page, id)
    await button(page, 'Use a passkey').click()
    await says(page, refusals.wrong)

    // The server gives the key of another request.
    const other = idIn(await askWithPasskey(page))
    if (first !== undefined) await sdk.updateUploadRequest(other, { passkeyIdentities: [first] })
    await onOtherDevice(page, other)
    await button(page, 'Use a passkey').click()
    await says(page, 'This key belongs to another request.')

    // The emulated device has room for three passkeys.
    await device.clear()
    await askWithPasskey(page)
    await device.clear()
    await ask(page, url)
    await button(page, 'Open on other devices').click()
    await button(page, 'Use a passkey').click()
    await says(page, refusals.cancelled)
    const checker = pageChecker(page, 'request-passkey-refused')
    await checker.checkViews('cancelled')
    await button(page, 'Create another passkey').click()
    await keptByPasskey(page)
    expect(await device.credentials()).toHaveLength(1)
    expect(elsewhere.pageErrors).toEqual([])
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test(
  'a device that derives no keys, an IP address and an old browser: the page says so, and other ways open the request',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, url)
    const device = await addAuthenticator(page)
    await logIn(page, url)
    const id = idIn(await askWithPasskey(page))
    await button(page, 'Other ways to open').click()
    const passphrase = await page.getByRole('textbox', { name: 'Passphrase' }).inputValue()
    await button(page, 'Keep it on the server, encrypted').click()
    await page.getByText('Your other devices open it with its passphrase or your passkey.').waitFor()

    const without = await visit(browser, url)
    const plain = await addAuthenticator(without.page, { hasPrf: false })
    for (const credential of await device.credentials()) await plain.add(credential)
    await logIn(without.page, url)
    await without.page.goto(`${url}/#/home/requests?id=${id}`)
    await button(without.page, 'Use a passkey').click()
    await says(without.page, refusals.noPrf)
    await pageChecker(without.page, 'request-passkey-refused').checkViews('no-prf')
    await button(without.page, 'Enter the passphrase instead').click()
    await without.page.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase)
    await button(without.page, 'Open').click()
    await button(without.page, 'Remove from the server').waitFor()
    await ask(without.page, url)
    await button(without.page, 'Open on other devices').click()
    await button(without.page, 'Use a passkey').click()
    await says(without.page, refusals.noPrf)

    const byAddress = await visit(browser, server.url)
    await logIn(byAddress.page, server.url)
    await byAddress.page.goto(`${server.url}/#/home/requests?id=${id}`)
    await says(byAddress.page, refusals.address)
    await expect.poll(() => button(byAddress.page, 'Use a passkey').isDisabled()).toBe(true)
    await ask(byAddress.page, server.url)
    await button(byAddress.page, 'Open on other devices').click()
    await byAddress.page.getByText(refusals.address).waitFor()
    expect(await button(byAddress.page, 'Use a passkey').count()).toBe(0)

    const old = await visit(browser, url)
    await old.page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    })
    await logIn(old.page, url)
    await old.page.goto(`${url}/#/home/requests?id=${id}`)
    await says(old.page, refusals.unsupported)
    expect([pageErrors, without.pageErrors, byAddress.pageErrors, old.pageErrors].flat()).toEqual([])
  },
)
