import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('HTML and scripts enter the page only through their policies', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  const outcomes = await page.evaluate(() => {
    const attempt = (act: () => void) => {
      try {
        act()
        return 'taken'
      } catch (error) {
        return error instanceof Error ? error.name : 'unknown'
      }
    }
    return [
      attempt(() => (document.createElement('div').innerHTML = '<b>x</b>')),
      attempt(() => (document.createElement('script').src = 'https://elsewhere.example/x.js')),
      attempt(() => (document.createElement('script').src = './own.js')),
    ]
  })
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'taken'])
})
