import type { Page } from 'playwright-core'

/** What is needed to understand why a page did not show what a test waited for. */
export interface PageLog {
  /** The page's address and text, the last clicks, its requests without a response, those that failed, and its errors: lines. */
  readonly text: () => Promise<string>
}

type Recorded = typeof globalThis & { recordedClicks?: string[] }

/** Runs in the page. A button that moves between press and release gets no click. */
function recordClicks(): void {
  const clicks = ((globalThis as Recorded).recordedClicks ??= [])
  for (const type of ['pointerdown', 'pointerup', 'click'])
    addEventListener(
      type,
      ({ target }) => {
        const { tagName, textContent } = target instanceof Element ? target : document.documentElement
        clicks.push(`${type}: ${tagName} ${textContent.trim().slice(0, 40)}`)
      },
      { capture: true },
    )
}

/** Records the requests, the clicks and the errors of a page. */
export async function logPage(page: Page): Promise<PageLog> {
  await page.addInitScript(recordClicks)
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
      const clicks = await page
        .evaluate(() => (globalThis as Recorded).recordedClicks?.slice(-9) ?? [])
        .catch((error: unknown) => [String(error)])
      return [`page: ${page.url()}`, shown, ...clicks, ...waiting, ...events.slice(-20)].join('\n')
    },
  }
}
