import { launch, visit } from '../../../../e2e/src/support/browser.ts'
import { files as fileInput, sendButton } from '../../../../e2e/src/support/page-actions.ts'
import type { Bench } from '../../bench.ts'
import {
  chosenFiles,
  longestTask,
  managedUpload,
  openUploadPage,
  rendererOf,
  settle,
  watchTasks,
  writeFiles,
  type Browser,
  type Page,
} from '../../clients/tab.ts'
import { median } from '../../measure.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import type { Case, Row } from '../../results/rows.ts'
import { removeUploads } from '../../stored.ts'

/** Bytes of each file. */
const size = 1_000
/** Fewer than usual: an upload of thousands of files takes long. */
const sendRounds = 3
const chooseRounds = 5

interface Visit {
  readonly browser: Browser
  readonly page: Page
  readonly server: ServerProcess
}

/** Milliseconds from the click on Upload until the page says that the upload is complete, by the clock of the page. */
const timeSending = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('h1')?.textContent.trim() !== 'Ready to share') return
          observer.disconnect()
          resolve(performance.now() - start)
        })
        const start = performance.now()
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        document.querySelector<HTMLElement>('form .send .primary')?.click()
      }),
  )

async function sendingRows(bench: Bench, { browser, page, server }: Visit): Promise<Row[]> {
  const count = bench.files
  const picked = await writeFiles(bench, { count, size })
  const rounds = []
  for (let round = 0; round < sendRounds; round += 1) {
    await openUploadPage(page, server.url)
    await page.setInputFiles(fileInput, picked)
    await sendButton(page).waitFor()
    await watchTasks(page)
    const before = await rendererOf(browser)
    const elapsed = (await timeSending(page)) / 1000
    const processor = (await rendererOf(browser)).cpuTime - before.cpuTime
    rounds.push({ elapsed, processor, task: await longestTask(page) })
    await removeUploads(server, [await managedUpload(page)], bench.signal)
  }
  const elapsed = median(rounds.map((round) => round.elapsed))
  const what = `Chromium sends ${count.toLocaleString('en')} files of 1 kB`
  const measured = { kind: 'measurement' } as const
  return [
    { ...measured, what: `${what}: time`, unit: 's', value: elapsed, atMost: 20 },
    { ...measured, what, unit: 'files/s', value: count / elapsed },
    {
      ...measured,
      what: `${what}: processor time of the tab`,
      unit: 's',
      value: median(rounds.map(({ processor }) => processor)),
    },
    {
      ...measured,
      what: `${what}: longest task`,
      unit: 'ms',
      value: Math.max(...rounds.map(({ task }) => task)),
    },
  ]
}

interface Painted {
  /** ms since the page was opened. */
  readonly changed: number
  /** ms since the page was opened. */
  readonly painted: number
}

/** Opens the file chooser. While a user chooses, the page loads the list. */
async function openChooser(page: Page) {
  const opened = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  const chooser = await opened
  await settle(page)
  return chooser
}

/** Prepares to measure the time from the `change` event of an input until the rows of its files are painted. */
const watchRows = (page: Page) =>
  page.evaluate(() => {
    const whenPainted = new Promise<Painted>((resolve) => {
      const look = (changed: number) => {
        // A timer that is set during a frame ends after its paint.
        if (document.querySelector('[data-index]') === null) nextFrame(changed)
        else
          setTimeout(() => {
            resolve({ changed, painted: performance.now() })
          })
      }
      const nextFrame = (changed: number) =>
        requestAnimationFrame(() => {
          look(changed)
        })
      // The time stamp of the event is that of its creation, before the browser has made thousands of files.
      const begin = () => nextFrame(performance.now())
      document.addEventListener('change', begin, { capture: true, once: true })
    })
    Object.assign(globalThis, { whenPainted })
  })

const rowsPainted = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { whenPainted: Promise<Painted> }).whenPainted)

async function choosingRows(bench: Bench, { page, server }: Visit): Promise<Row[]> {
  const count = chosenFiles(bench)
  const picked = await writeFiles(bench, { count, size })
  const rounds = []
  for (let round = 0; round < chooseRounds; round += 1) {
    await openUploadPage(page, server.url)
    const chooser = await openChooser(page)
    await watchTasks(page)
    await watchRows(page)
    await chooser.setFiles(picked)
    const { changed, painted } = await rowsPainted(page)
    rounds.push({ elapsed: painted - changed, task: await longestTask(page, changed) })
  }
  const measured = { kind: 'measurement', unit: 'ms' } as const
  const what = `choosing ${count.toLocaleString('en')} files`
  return [
    {
      ...measured,
      what: `${what}: until the rows are painted`,
      value: median(rounds.map(({ elapsed }) => elapsed)),
      atMost: 200,
    },
    {
      ...measured,
      what: `${what}: longest task`,
      value: Math.max(...rounds.map(({ task }) => task)),
      atMost: 100,
    },
  ]
}

/** Thousands of small files in the page. */
export const browserManyFiles: Case<Bench> = {
  name: 'browser-many-files',
  needsTools: false,
  async run(bench) {
    await using server = await startServer(bench, { SVCD_MAX_FILE_PER_UPLOAD: String(bench.files) })
    const browser = await launch()
    try {
      const { page } = await visit(browser, server.url)
      page.setDefaultTimeout(600_000)
      const visited = { browser, page, server }
      return [...(await choosingRows(bench, visited)), ...(await sendingRows(bench, visited))]
    } finally {
      await browser.close()
    }
  },
}
