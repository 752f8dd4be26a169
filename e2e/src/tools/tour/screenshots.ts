import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CDPSession, Page } from 'playwright-core'

export const widths = [390, 820, 1440] as const
export const colorSchemes = ['light', 'dark'] as const
export type ColorScheme = (typeof colorSchemes)[number]
/** The background in each colour scheme. */
const backgrounds = { light: 'rgb(245, 244, 239)', dark: 'rgb(18, 20, 18)' } as const
/** Frames after which rows that were out of sight have the new colours. */
const frames = 6
const quality = 40
/** The greatest height of a screenshot of a whole page, in pixels. */
const maxHeight = 1600

/** A state of the page, of which there are screenshots. */
export interface ShownState {
  readonly name: string
  /** The heading of its screenshots. */
  readonly caption: string
}

export interface ScreenshotOptions {
  /** The window is as high as the page. */
  readonly tall?: boolean
  /** A document without the colours of the application. */
  readonly foreign?: boolean
}

/** Takes screenshots in all widths and colour schemes. */
export type TakeScreenshots = (
  page: Page,
  name: string,
  caption: string,
  options?: ScreenshotOptions,
) => Promise<void>

export const fileNameOf = ({ name }: ShownState, width: number, colorScheme: ColorScheme): string =>
  `${name}-${String(width)}-${colorScheme}.webp`

/** Waits until a page has its colours and thumbnails, and no animation runs. */
export async function settled(page: Page, background: string | undefined): Promise<void> {
  if (background !== undefined)
    await page.waitForFunction(
      (expected) => getComputedStyle(document.documentElement).backgroundColor === expected,
      background,
    )
  // A window that becomes wider loads the options beside the files.
  await page.waitForFunction(() => document.querySelector('.options-space') === null)
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.thumbnail img')].every(({ complete }) => complete),
  )
  await page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame)
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  }, frames)
}

/** A change of the colours applies at once, also to what is out of sight. A caret would blink. */
const stopTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*, *::before, *::after { content-visibility: visible !important; transition: none !important; caret-color: transparent !important }',
    )
    document.adoptedStyleSheets.push(sheet)
  })

const contentHeight = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight)

async function resize(page: Page, width: number, tall: boolean): Promise<void> {
  const height = width < 500 ? 844 : 900
  await page.setViewportSize({ width, height })
  if (tall) {
    await settled(page, undefined)
    const whole = Math.min(Math.max(await contentHeight(page), height), maxHeight)
    await page.setViewportSize({ width, height: whole })
  }
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLInputElement)
      document.activeElement.scrollIntoView({ block: 'center' })
  })
}

const sessions = new WeakMap<Page, CDPSession>()

/** The session stays open: closing it would reset what another session has set in the page. */
async function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

async function capture(page: Page): Promise<Buffer> {
  const devtools = await sessionOf(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality })
  return Buffer.from(data, 'base64')
}

/**
 * @param folder for the screenshots
 * @param onShown called for each state, before its screenshots
 */
export function screenshotsIn(folder: string, onShown: (state: ShownState) => void): TakeScreenshots {
  return async (page, name, caption, { tall = false, foreign = false } = {}) => {
    onShown({ name, caption })
    await stopTransitions(page)
    // Away from the element that was clicked.
    await page.mouse.move(0, 0)
    for (const width of widths) {
      await resize(page, width, tall)
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme })
        await settled(page, foreign ? undefined : backgrounds[colorScheme])
        await writeFile(
          path.join(folder, fileNameOf({ name, caption }, width, colorScheme)),
          await capture(page),
        )
      }
    }
    await page.setViewportSize({ width: 820, height: 900 })
  }
}
