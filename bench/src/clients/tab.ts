import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { launch, visit } from '../../../e2e/src/support/browser.ts'
import { linkToManage, opened } from '../../../e2e/src/support/page-actions.ts'
import type { Bench } from '../bench.ts'

export type Browser = Awaited<ReturnType<typeof launch>>
export type Page = Awaited<ReturnType<typeof visit>>['page']

/** Files that a visitor chooses at once, unless `--files` says fewer. */
export const chosenFiles = ({ files }: Bench): number => Math.min(2_000, files)

/** A process that shows a page. */
export interface Renderer {
  readonly pid: number
  /** Seconds of processor time so far, with all its threads. */
  readonly cpuTime: number
}

/** The renderer with the most processor time: the tab, not one that Chromium keeps in reserve. */
export async function rendererOf(browser: Browser): Promise<Renderer> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const [tab] = processInfo
    .filter(({ type }) => type === 'renderer')
    .toSorted((a, b) => b.cpuTime - a.cpuTime)
  await session.detach()
  if (tab === undefined) throw new Error('Chromium has no renderer')
  return { pid: tab.id, cpuTime: tab.cpuTime }
}

export interface SampleFiles {
  readonly count: number
  /** Bytes of each file. */
  readonly size: number
  /** Whether they take no space on the disk. */
  readonly sparse?: boolean
}

/** @returns the paths of new files in one folder */
export async function writeFiles(
  bench: Bench,
  { count, size, sparse = false }: SampleFiles,
): Promise<string[]> {
  const directory = await bench.newDirectory('picked')
  const content = Buffer.alloc(sparse ? 0 : size, 'x')
  const files = Array.from({ length: count }, (_, index) => path.join(directory, `file-${String(index)}.bin`))
  for (const file of files) {
    if (sparse) {
      await using handle = await open(file, 'wx')
      await handle.truncate(size)
    } else await writeFile(file, content)
  }
  return files
}

/** Opens the page to upload files, without any that were chosen before. */
export async function openUploadPage(page: Page, server: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(server)
  await opened(page)
}

/** The upload that the page has just made. */
export async function managedUpload(page: Page) {
  const parameters = new URLSearchParams(new URL(await linkToManage(page)).hash.slice(3))
  return { uploadID: parameters.get('id') ?? '', uploadToken: parameters.get('uploadToken') ?? '' }
}

/** Tasks of at most this length, in ms, are not reported. */
export const shortTask = 50

/** Begins to record the tasks of the page. */
export const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const recorded: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => {
      recorded.push(...list.getEntries())
    })
    observer.observe({ type: 'longtask' })
    Object.assign(globalThis, { recordedTasks: recorded })
  })

/**
 * The longest task since the recording began, in ms; `shortTask` if all were shorter.
 * @param from ms since the page was opened: a task counts from there
 */
export async function longestTask(page: Page, from = 0): Promise<number> {
  await settle(page)
  return page.evaluate(
    ([begin, short]) => {
      const { recordedTasks } = globalThis as unknown as { recordedTasks: readonly PerformanceEntry[] }
      const lengths = recordedTasks.map(
        ({ startTime, duration }) => startTime + duration - Math.max(startTime, begin),
      )
      return Math.max(short, ...lengths)
    },
    [from, shortTask] as const,
  )
}

/** Lets the page render and settle. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 100))),
  )
