import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.ts'
import { screenshot } from './browser.ts'

/** A window size for the checks of a page. */
export interface View {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** Whether axe checks it, too: it takes longer than everything else. */
  readonly axe?: boolean
}

export const ordinaryViews: readonly View[] = [
  { width: 390, colorScheme: 'dark', axe: true },
  { width: 820, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light', axe: true },
]

/** Milliseconds for a test with a dozen screenshots, on a busy machine. */
export const screenshotTimeout = 300_000

/** Expects that an element has the focus, or gets it. */
export const expectFocus = (element: Locator): Promise<void> =>
  expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)

/** Whether a text field is marked as wrong, and the texts that describe it. */
export const describedField = (page: Page, name: string): Promise<(string | null)[]> =>
  page
    .getByRole('textbox', { name })
    .evaluate((field) => [
      field.getAttribute('aria-invalid'),
      ...(field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent.trim() ?? null),
    ])

/** The overflow of the page beyond the window, in pixels, after what observes sizes has reacted to a new one. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await nextFrame()
    await nextFrame()
    return document.documentElement.scrollWidth - document.documentElement.clientWidth
  })

export interface PageChecker {
  /** Checks the present state of the page in every view, and saves screenshots of it. */
  readonly checkViews: (state: string) => Promise<void>
  /** The overflows and the findings of axe, a line each, with the state and the view. */
  readonly problems: readonly string[]
  readonly checkedStates: () => number
}

/** @param area the prefix of the names of the screenshots */
export function pageChecker(page: Page, area: string, views: readonly View[] = ordinaryViews): PageChecker {
  const problems: string[] = []
  let checkedStates = 0
  const check = async (state: string, { width, colorScheme, axe = false }: View) => {
    const name = `${area}-${state}-${colorScheme}-${String(width)}`
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 })
    await page.emulateMedia({ colorScheme })
    const beyond = await overflow(page)
    if (beyond !== 0) problems.push(`${name}: the page is ${String(beyond)} pixels wider than the window`)
    if (axe) problems.push(...(await violations(page)).map((violation) => `${name}: ${violation}`))
    await screenshot(page, name)
  }
  return {
    async checkViews(state) {
      for (const view of views) await check(state, view)
      checkedStates += 1
    },
    problems,
    checkedStates: () => checkedStates,
  }
}

/** Saves a screenshot of a state, and expects that axe finds no violation. */
export async function checkState(page: Page, state: string): Promise<void> {
  await screenshot(page, state)
  expect({ state, violations: await violations(page) }).toEqual({ state, violations: [] })
}

/** Expects that elements are of one width in a wide window. */
export async function expectOneWidth(page: Page, elements: Locator): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await overflow(page)
  const widths = await elements.evaluateAll((all) =>
    all.map((element) => Math.round(element.getBoundingClientRect().width)),
  )
  expect(widths.length).toBeGreaterThan(1)
  expect(new Set(widths).size).toBe(1)
}
