import type { Page } from 'playwright-core'

/** What is needed to understand why a page did not show what a test waited for. */
export interface PageLog {
  /** The page's address and text, its requests without a response, those that failed, and its errors: lines. */
  readonly text: () => Promise<string>
}

/** Records the requests and the errors of a page. */
export function logPage(page: Page): PageLog {
  const pending = new Map<object, string>()
  const events: string[] = []
  page.on('request', (request) => pending.set(request, `${request.method()} ${request.url()}`))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => {
    events.push(`failed: ${pending.get(request) ?? request.url()}: ${request.failure()?.errorText ?? ''}`)
    pending.delete(request)
  })
  page.on('pageerror', (error) => events.push(`error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') events.push(`console: ${message.text()}`)
  })
  page.on('crash', () => events.push('crashed'))
  return {
    text: async () => {
      const waiting = [...pending.values()].map((request) => `no response yet: ${request}`)
      const shown = await page.innerText('body', { timeout: 5000 }).catch(String)
      return [`page: ${page.url()}`, shown, ...waiting, ...events.slice(-20)].join('\n')
    },
  }
}
