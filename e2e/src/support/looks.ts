import type { Page } from 'playwright-core'
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

/** Milliseconds for a journey with a dozen states, on a busy machine. */
export const lookTime = 300_000

/** The overflow of the page beyond the window, in pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export interface Looker {
  /** Checks the present state of the page in every window, and saves pictures of it. */
  readonly look: (state: string) => Promise<void>
  /** The overflows and the findings of axe, a line each, with the state and the window. */
  readonly faults: readonly string[]
  readonly looked: () => number
}

/** @param area the prefix of the names of the pictures */
export function looker(page: Page, area: string, views: readonly View[] = ordinaryViews): Looker {
  const faults: string[] = []
  let looked = 0
  const lookIn = async (state: string, { width, colorScheme, axe = false }: View) => {
    const name = `${area}-${state}-${colorScheme}-${String(width)}`
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 })
    await page.emulateMedia({ colorScheme })
    const beyond = await overflow(page)
    if (beyond !== 0) faults.push(`${name}: reaches ${String(beyond)} pixels out of the window`)
    if (axe) faults.push(...(await violations(page)).map((violation) => `${name}: ${violation}`))
    await screenshot(page, name)
  }
  return {
    async look(state) {
      for (const view of views) await lookIn(state, view)
      looked += 1
    },
    faults,
    looked: () => looked,
  }
}

/** Checks a state: saves a picture of it, and axe finds nothing. */
export async function seen(page: Page, state: string): Promise<void> {
  await screenshot(page, state)
  expect({ state, violations: await violations(page) }).toEqual({ state, violations: [] })
}
