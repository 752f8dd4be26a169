import { createClient } from '@svc/sdk'
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, listedNames, opened } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog } from '../support/uploads.ts'
import { xssCorpus } from '../support/samples/xss-corpus.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A visitor without the policy of the page, so that the application alone has to hold. */
async function visitUnprotected(url = server.url) {
  const { page, pageErrors } = await visit(browser, url, { bypassCSP: true })
  const ran: string[] = []
  await page.exposeFunction('pwned', () => {
    ran.push(page.url())
  })
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  return { page, pageErrors, ran }
}

const hostileNames = [
  '<img src=x onerror=pwned()>.png',
  '"><script>pwned()</script>.txt',
  "' onmouseover='pwned()' x='",
  'javascript:pwned()',
  '{{constructor.constructor("pwned()")()}}',
  '${pwned()}',
  '&lt;b&gt;&amp;.txt',
  '%3Cscript%3Epwned()%3C%2Fscript%3E',
  '`pwned()`',
  '@:refusal.network {name} | two | three',
  '  spaces  around  ',
  '-rf *.txt',
  '..\\..\\windows\\system.ini',
  'con.txt',
  'a\u0301\u0301\u0301\u0301\u0301\u0301.txt',
]

const inventedNames = fc
  .sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { numRuns: 300, seed: 1 })
  // Tests of the server cover the names that it rejects; slashes separate folders.
  .filter((name) => !/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/]/u.test(name))
  .filter((name) => name.isWellFormed() && name !== '.' && name !== '..')

test('names of uploads are text only, wherever they appear', async () => {
  const names = [...hostileNames, ...inventedNames]
  expect(names.length).toBeGreaterThan(200)
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ removable: true, files: names.map((fileName) => ({ fileName })) })
  const hostile = upload.files.slice(0, hostileNames.length)
  for (const file of hostile) {
    const form = { fileName: file.fileName, fileID: file.id, uploadToken: upload.uploadToken }
    await sdk.addFile(upload.id, new Blob(['x']), form)
  }
  const { page, pageErrors, ran } = await visitUnprotected()
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  // A search in the page needs all rows of a long list.
  await page.keyboard.press('Control+f')
  // A slash makes a folder, which comes first; in a long list it is closed.
  const withFolder = '"><script>pwned()</script>.txt'
  const others = (all: readonly string[]) => all.filter((name) => name !== withFolder)
  expect(await listedNames(page)).toEqual(['"><script>pwned()<', ...others(names)])
  await page.locator('.folder-row button[aria-expanded]').click()
  expect(await listedNames(page)).toEqual(['"><script>pwned()<', 'script>.txt', ...others(names)])
  expect(await page.locator('.file-name :not(span.folder, span.start, span.end, span.part)').count()).toBe(0)
  const labels = await page
    .locator('a.get')
    .evaluateAll((all) => all.map((element) => element.getAttribute('aria-label')))
  expect(labels).toEqual([withFolder, ...others(hostileNames)].map((name) => `Download ${name}`))
  await page.locator('button[aria-label^="Delete <img"]').click()
  await page.getByText('<img src=x onerror=pwned()>.png will be deleted for everyone.').waitFor()
  await checkState(page, 'hostile-names')
  expect({ ran, pageErrors }).toEqual({ ran: [], pageErrors: [] })
})

test('descriptions and addresses of webhooks are text only', async () => {
  await using cleanup = new AsyncDisposableStack()
  const settings = { ...withAccounts, WEBHOOKS_PER_USER: '100' }
  const accounts = await startServer(settings)
  cleanup.defer(accounts.stop)
  const sdk = await signedIn(accounts.url)
  for (const [index, description] of hostileNames.entries())
    await sdk.createMyWebhook({
      url: `https://hooks.example/${String(index)}?x=${encodeURIComponent(description)}&<img src=x onerror=pwned()>`,
      description,
      events: ['upload.downloaded'],
    })
  const { page, pageErrors, ran } = await visitUnprotected(accounts.url)
  await logIn(page, accounts.url)
  await page.goto(`${accounts.url}/#/home/notifications`)
  await page.locator('.webhook').last().waitFor()
  const shown = await page.locator('.webhook .title bdi').allTextContents()
  expect(shown.toSorted()).toEqual(hostileNames.toSorted())
  expect(await page.locator('.webhook .words :not(p, bdi, span)').count()).toBe(0)
  const first = page.locator('.webhook', { hasText: '<img src=x onerror=pwned()>.png' }).first()
  await first.getByRole('button', { name: 'Replace secret' }).click()
  await clickInDialog(page, 'Replace secret')
  await page.getByText('Secret of <img src=x onerror=pwned()>.png').waitFor()
  await first.getByRole('button', { name: /^Edit/ }).click()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('<img src=x onerror=pwned()>.png')
  await first.getByRole('button', { name: /^Delete/ }).click()
  await page.getByText('<img src=x onerror=pwned()>.png receives no more events').waitFor()
  await checkState(page, 'hostile-webhooks')
  expect({ ran, pageErrors }).toEqual({ ran: [], pageErrors: [] })
})

test('names of chosen files are text only', async () => {
  const { page, pageErrors, ran } = await visitUnprotected()
  const picked = hostileNames
    .filter((name) => !name.includes('/'))
    .map((name) => ({ name, bytes: Buffer.from('x') }))
  await choose(page, server.url, picked)
  expect(await listedNames(page)).toEqual(picked.map(({ name }) => name))
  await page.locator('button[aria-label^="Rename <img"]').click()
  await expect.poll(() => page.getByLabel('New name').inputValue()).toBe('<img src=x onerror=pwned()>.png')
  expect({ ran, pageErrors }).toEqual({ ran: [], pageErrors: [] })
})

test('comments cannot run a script, and link only to web pages and mail addresses', async () => {
  const sdk = createClient({ baseURL: server.url })
  const { page, pageErrors, ran } = await visitUnprotected()
  for (const comments of xssCorpus) {
    const upload = await sdk.createUpload({ comments })
    // Another page between, so that the elements that are found belong to this upload.
    await page.goto(`${server.url}/#/between`)
    await page.getByText('This page does not exist.').waitFor()
    await page.goto(sdk.pageURL(upload))
    const section = page.getByTestId('comments')
    await section.waitFor({ state: 'attached' })
    const found = await section.evaluate((root) => {
      const elements = [...root.querySelectorAll('*')]
      for (const element of elements) {
        for (const type of ['mouseover', 'focusin', 'click'])
          element.dispatchEvent(new Event(type, { bubbles: true }))
      }
      return {
        names: [...new Set(elements.map(({ localName }) => localName))],
        attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
        links: elements.map((element) => element.getAttribute('href')).filter((href) => href !== null),
      }
    })
    const harmless = [
      'a',
      'p',
      'br',
      'h1',
      'code',
      'pre',
      'strong',
      'em',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
    ]
    expect({
      comments,
      names: found.names.filter((name) => !harmless.includes(name)),
      attributes: found.attributes.filter((name) => !['href', 'rel', 'target', 'title'].includes(name)),
      links: found.links.filter((href) => !/^(?:https?:\/\/|mailto:)/.test(href)),
    }).toEqual({ comments, names: [], attributes: [], links: [] })
  }
  // The test notices a script that runs.
  await page.evaluate('pwned()')
  expect(ran).toHaveLength(1)
  expect(pageErrors).toEqual([])
})

test('a comment with plain words, links and lists is rendered', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({
    comments: '**Bold** <https://example.org> notes.zip\n\n- [mail](mailto:a@b.example)',
  })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  const section = page.getByTestId('comments')
  await section.waitFor()
  await expect.poll(() => section.locator('strong').textContent()).toBe('Bold')
  const links = await section
    .locator('a')
    .evaluateAll((all) => all.map((element) => element.getAttribute('href')))
  expect(links).toEqual(['https://example.org', 'mailto:a@b.example'])
})
