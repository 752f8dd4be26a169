import { launch, visit } from '../../../../e2e/src/support/browser.ts'
import type * as EncryptionPage from '../../../../e2e/src/support/encryption/encryption-page.ts'
import { startPageServer } from '../../../../e2e/src/support/encryption/page-server.ts'
import {
  files as fileInput,
  flip,
  openOptions,
  send,
  sendButton,
} from '../../../../e2e/src/support/page-actions.ts'
import type { Bench } from '../../bench.ts'
import { upload } from '../../clients/curl.ts'
import { managedUpload, openUploadPage, rendererOf, type Browser, type Page } from '../../clients/tab.ts'
import { interleave, median, timeInSeconds } from '../../measure.ts'
import { forgetPeakMemory, peakMemory } from '../../processes/memory.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'
import { removeUploads } from '../../stored.ts'

declare const encryption: typeof EncryptionPage

/** Rounds of the cases with encryption. */
const encryptedRounds = 3

/** Sends the chosen files, and removes their upload. */
async function measureSending(
  page: Page,
  {
    browser,
    server,
    signal,
  }: { readonly browser: Browser; readonly server: ServerProcess; readonly signal: AbortSignal },
) {
  await sendButton(page).waitFor()
  const { pid } = await rendererOf(browser)
  await forgetPeakMemory(pid)
  const elapsed = await timeInSeconds(() => send(page))
  const memory = await peakMemory(pid)
  await removeUploads(server, [await managedUpload(page)], signal)
  return { elapsed, memory }
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
    await openUploadPage(page, server.url)
    await page.setInputFiles(fileInput, file)
    const sent = await measureSending(page, { browser, server, signal })
    memory = Math.max(memory, sent.memory)
    return rate(sent.elapsed)
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

/** A large file from the page, which encrypts it. */
async function encryptedRows(bench: Bench, browser: Browser): Promise<Row[]> {
  const { size, signal } = bench
  const file = await bench.largeFile()
  await using server = await startServer(bench)
  const { page } = await visit(browser, server.url)
  page.setDefaultTimeout(600_000)
  const measured = []
  for (let round = 0; round < encryptedRounds; round += 1) {
    await openUploadPage(page, server.url)
    await page.setInputFiles(fileInput, file)
    await openOptions(page)
    await flip(page, 'End-to-end encryption')
    measured.push(await measureSending(page, { browser, server, signal }))
  }
  const what = 'encrypted upload of a large file from the page in Chromium'
  return [
    {
      kind: 'measurement',
      what,
      unit: 'MB/s',
      value: size / 1e6 / median(measured.map(({ elapsed }) => elapsed)),
    },
    {
      kind: 'measurement',
      what: `${what}: peak memory of the tab`,
      unit: 'MB',
      value: Math.max(...measured.map(({ memory }) => memory)) / 1e6,
      atMost: 250,
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
    for (let round = 0; round < encryptedRounds; round += 1)
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

/** A large file that the browser encrypts and sends. */
export const browserEncrypted: Case<Bench> = {
  name: 'browser-encrypted',
  needsTools: false,
  async run(bench) {
    const browser = await launch()
    try {
      return await encryptedRows(bench, browser)
    } finally {
      await browser.close()
    }
  },
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
