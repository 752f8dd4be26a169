import { launch, visit } from '../../../../e2e/src/support/browser.ts'
import type * as EncryptionPage from '../../../../e2e/src/support/encryption/encryption-page.ts'
import { startPageServer } from '../../../../e2e/src/support/encryption/page-server.ts'
import { linkToManage, opened, send, sendButton } from '../../../../e2e/src/support/page-actions.ts'
import type { Bench } from '../../bench.ts'
import { upload } from '../../clients/curl.ts'
import { interleave, median, timeInSeconds } from '../../measure.ts'
import { forgetPeakMemory, peakMemory } from '../../processes/memory.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'

declare const encryption: typeof EncryptionPage

type Browser = Awaited<ReturnType<typeof launch>>

/** The renderer with the most processor time: the tab, not one that Chromium keeps in reserve. */
async function tabOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const [tab] = processInfo
    .filter(({ type }) => type === 'renderer')
    .toSorted((a, b) => b.cpuTime - a.cpuTime)
  await session.detach()
  if (tab === undefined) throw new Error('Chromium has no renderer')
  return tab.id
}

/** A large file from the page, against the same file from curl. */
async function sendingRows(bench: Bench, browser: Browser): Promise<Row[]> {
  const { size, signal } = bench
  const file = await bench.largeFile()
  await using server = await startServer(bench)
  const { page } = await visit(browser, server.url)
  page.setDefaultTimeout(600_000)
  const rate = (elapsed: number) => size / 1e6 / elapsed
  let memory = 0
  const ours = async () => {
    await page.goto('about:blank')
    await page.goto(server.url)
    await opened(page)
    await page.setInputFiles('[data-testid=files]', file)
    await sendButton(page).waitFor()
    const tab = await tabOf(browser)
    await forgetPeakMemory(tab)
    const elapsed = await timeInSeconds(() => send(page))
    memory = Math.max(memory, await peakMemory(tab))
    const hashParameters = new URLSearchParams(new URL(await linkToManage(page)).hash.slice(3))
    const sent = {
      uploadID: hashParameters.get('id') ?? '',
      uploadToken: hashParameters.get('uploadToken') ?? '',
    }
    await removeUploads(server, [sent], signal)
    return rate(elapsed)
  }
  const curl = async () => {
    const sent = await upload(server.url, file, signal)
    await removeUploads(server, [sent], signal)
    return rate(sent.seconds)
  }
  const measurements = await interleave({ baseline: curl, ours })
  const what = 'upload of a large file from the page in Chromium'
  return [
    {
      kind: 'comparison',
      what,
      unit: 'MB/s',
      ours: measurements.ours,
      baseline: { name: 'curl', measurements: measurements.baseline },
      atLeast: 0.7,
    },
    {
      kind: 'measurement',
      what: `${what}: peak memory of the tab`,
      unit: 'MB',
      value: memory / 1e6,
      atMost: 400,
    },
  ]
}

/** The encryption alone, on a separate page: content from memory, nothing sent. */
async function encryptionRows({ size }: Bench, browser: Browser): Promise<Row[]> {
  const pageServer = await startPageServer()
  try {
    const { page } = await visit(browser, pageServer.url)
    page.setDefaultTimeout(600_000)
    await page.goto(pageServer.url)
    await page.waitForFunction('"encryption" in globalThis')
    const measured = []
    for (let round = 0; round < 3; round += 1)
      measured.push(await page.evaluate((bytes) => encryption.measure(bytes), size))
    const row = (what: string, elapsed: readonly number[]): Row => ({
      kind: 'measurement',
      what: `${what} in Chromium`,
      unit: 'MB/s',
      value: size / 1e6 / median(elapsed),
      atLeast: 300,
    })
    return [
      row(
        'encrypting',
        measured.map(({ encrypting }) => encrypting),
      ),
      row(
        'decrypting',
        measured.map(({ decrypting }) => decrypting),
      ),
    ]
  } finally {
    await pageServer.stop()
  }
}

/** Large files in the browser. */
export const browserTransfers: Case<Bench> = {
  name: 'browser',
  async run(bench) {
    const browser = await launch()
    try {
      return [...(await sendingRows(bench, browser)), ...(await encryptionRows(bench, browser))]
    } finally {
      await browser.close()
    }
  },
}
