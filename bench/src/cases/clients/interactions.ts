import { launch, visit } from '../../../../e2e/src/support/browser.ts'
import { files as fileInput, sendButton } from '../../../../e2e/src/support/page-actions.ts'
import type { Bench } from '../../bench.ts'
import { chosenFiles, openUploadPage, settle, writeFiles, type Page } from '../../clients/tab.ts'
import { median } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'

/** Bytes of each file: five transfers last longer than all interactions. */
const fileSize = 4_000_000
/** Bytes per second from the browser. */
const uploadRate = 2_000_000
const clicks = 8
const keys = 8

/** Begins to record the time of every event from its input to the next paint, in ms. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const recorded: { name: string; duration: number }[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) recorded.push({ name: entry.name, duration: entry.duration })
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
    Object.assign(globalThis, { recorded })
  })

/** The times of the inputs since the last call, in ms. Times under 16 ms are not reported. */
const readDurations = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { recorded } = globalThis as unknown as { recorded: { duration: number }[] }
    return recorded.splice(0).map(({ duration }) => duration)
  })

/** Approximate pixels of a row. */
const rowHeight = 66

/** Scrolls to a row: the list has only those in the window. */
async function scrollTo(page: Page, row: number): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const isThere = await page.evaluate(
      ([nth, height]) => {
        if (document.querySelector(`[data-index="${String(nth)}"]`)) return true
        const [first] = document.querySelectorAll<HTMLElement>('[data-index]')
        window.scrollBy(0, (nth - Number(first?.dataset['index'])) * height)
        return false
      },
      [row, rowHeight] as const,
    )
    if (isThere) return
    await settle(page)
  }
}

/**
 * Clicks at the position of a button. The driver does not search for it during the measurement: among a
 * thousand rows, that takes longer than everything else.
 */
async function clickAt(page: Page, row: number, button: number): Promise<void> {
  await scrollTo(page, row)
  const place = await page.evaluate(
    ([nth, which]) => {
      const element = document.querySelector(`[data-index="${String(nth)}"]`)?.querySelectorAll('button')[
        which
      ]
      element?.scrollIntoView({ block: 'center' })
      const box = element?.getBoundingClientRect()
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    },
    [row, button] as const,
  )
  if (place === undefined) throw new Error(`row ${String(row)} has no button ${String(button)}`)
  await settle(page)
  await page.mouse.click(place.x, place.y)
  await settle(page)
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await settle(page)
}

const rows = (files: number, what: string, taken: readonly number[]): readonly Row[] => {
  const name = `${what} with ${files.toLocaleString('en')} files: an input to the next paint`
  // An event that the browser does not report took less than 16 ms.
  const known = taken.length === 0 ? [16] : taken
  return [
    { kind: 'measurement', what: `${name}, longest`, unit: 'ms', value: Math.max(...known), atMost: 100 },
    { kind: 'measurement', what: `${name}, median`, unit: 'ms', value: median(known) },
  ]
}

/** The delay of clicks and key presses while the page is busy. */
export const interactions: Case<Bench> = {
  name: 'interactions',
  needsTools: false,
  async run(bench) {
    const files = chosenFiles(bench)
    const picked = await writeFiles(bench, { count: files, size: fileSize, sparse: true })
    await using server = await startServer(bench, { SVCD_MAX_FILE_PER_UPLOAD: String(files) })
    const browser = await launch()
    try {
      const { page, context } = await visit(browser, server.url)
      page.setDefaultTimeout(120_000)
      await openUploadPage(page, server.url)
      await page.setInputFiles(fileInput, picked)
      await sendButton(page).waitFor()
      await watch(page)
      for (let index = 0; index < clicks; index += 1) {
        await clickAt(page, index * 3, 0)
        await press(page, 'a')
        await press(page, 'Enter')
        await clickAt(page, 400 + index, 1)
      }
      const editing = await readDurations(page)

      const session = await context.newCDPSession(page)
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: uploadRate,
      })
      await sendButton(page).click()
      await page
        .getByRole('progressbar', { name: /^Progress of/ })
        .nth(4)
        .waitFor()
      await settle(page)
      const starting = await readDurations(page)
      for (let index = 0; index < clicks; index += 1) {
        await clickAt(page, 500 + index, 0)
        await clickAt(page, 600 + index, 1)
      }
      for (let index = 0; index < keys; index += 1) await press(page, 'Tab')
      const sending = await readDurations(page)
      return [
        ...rows(files, 'renaming and removing files', editing),
        ...rows(files, 'starting the upload', starting),
        ...rows(files, 'while five files are sent,', sending),
      ]
    } finally {
      await browser.close()
    }
  },
}
