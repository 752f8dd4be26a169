import { createClient } from '@svc/sdk'
import type { File, Upload, UploadOptions } from '@svc/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { downloaded } from '../support/page-actions.ts'
import { pdf, picture, sound } from '../support/samples/media.ts'
import { checkState, overflow } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const code = 'export const total = 42 // größe\nif (total) throw new Error("no")\n'
const script = "document.title = 'ran'"
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#0a6652"/>' +
  `<script>${script}</script></svg>`

const all: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  'code.ts': code,
  'notes.md': `# Notes\n\n- **one**\n\n<img src=x onerror="${script}"> [bad](javascript:alert(1))\n`,
  'photo.png': picture,
  'drawing.svg': drawing,
  'page.html': `<!doctype html><script>${script}</script><p>hello`,
  'paper.pdf': pdf,
  'sound.wav': sound,
  'other.bin': new Uint8Array([0, 1, 2, 250]),
}

/** An upload with files of these names. */
async function uploadOf(
  names: readonly string[],
  options: UploadOptions = {},
): Promise<{ upload: Upload; files: File[]; open: (name: string) => string }> {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload(options)
  const { uploadToken } = upload
  const files: File[] = []
  for (const fileName of names) {
    files.push(await sdk.addFile(upload.id, new Blob([all[fileName] ?? '']), { fileName, uploadToken }))
  }
  const open = (name: string) => {
    const file = files.find(({ fileName }) => fileName === name)
    return sdk.pageURL(upload, file && { fileID: file.id })
  }
  return { upload, files, open }
}

const waitForPosition = (page: Page, text: string) =>
  page.getByRole('navigation', { name: 'Other files' }).getByText(text).waitFor()
const naturalWidth = (page: Page, name: string) =>
  expect
    .poll(
      () => page.getByRole('img', { name }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
      {
        timeout: 90_000,
      },
    )
    .toBeGreaterThan(0)

test('every kind of file is shown in place, with keys for the next one, and none of it runs', async () => {
  const names = Object.keys(all)
  const { open } = await uploadOf(names)
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(open(''))
  await page.getByRole('link', { name: 'code.ts', exact: true }).click()

  await waitForPosition(page, '1 of 8')
  // The heading is that of the link; the name of the file is beside its position.
  await waitForPosition(page, 'code.ts')
  await page.getByRole('heading', { name: '8 files for you' }).waitFor()
  await page.getByTestId('text-viewer').getByText('export const total = 42 // größe').waitFor()
  await expect
    .poll(
      () =>
        page
          .locator('.cm-line span')
          .first()
          .evaluate((word) => getComputedStyle(word).color),
      {
        timeout: 90_000,
      },
    )
    .toBe('rgb(10, 102, 82)')
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'Notes' }).waitFor()
  expect(await page.getByTestId('markdown-viewer').locator('img, a[href]').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Source' }).click()
  await page.getByText('- **one**').waitFor()

  await page.keyboard.press('ArrowRight')
  await naturalWidth(page, 'photo.png')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await naturalWidth(page, 'drawing.svg')
  await page.keyboard.press('ArrowRight')
  await page.getByText('<!doctype html>').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('group', { name: 'Page 1 of 2' }).getByText('Hello paper').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('sound.wav', { exact: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await waitForPosition(page, '8 of 8')
  await expect.poll(() => page.getByRole('button', { name: 'Next file' }).isDisabled()).toBe(true)

  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: '8 files for you' }).waitFor()
  expect(new URL(page.url()).hash).not.toContain('file=')
  await expect.poll(() => page.title()).toBe('8 files for you · Svc')
  expect(pageErrors).toEqual([])
})

test('a PDF is drawn page by page at the width of the window, and its scripts do not run', async () => {
  const { open } = await uploadOf(['paper.pdf'])
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 780 } })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(open('paper.pdf'))
  const first = page.getByRole('group', { name: 'Page 1 of 2' })
  const second = page.getByRole('group', { name: 'Page 2 of 2' })
  await first.getByText('Hello paper').waitFor()
  const colorAt = (x: number, y: number) =>
    first.locator('canvas').evaluate(
      (element, [across, down]) => {
        const canvas = element as HTMLCanvasElement
        const context = canvas.getContext('2d')
        return Array.from(context?.getImageData(across * canvas.width, down * canvas.height, 1, 1).data ?? [])
      },
      [x, y] as const,
    )
  expect([await colorAt(0.5, 0.75), await colorAt(0.5, 0.05)]).toEqual([
    [255, 0, 0, 255],
    [255, 255, 255, 255],
  ])
  const width = async () => (await first.boundingBox())?.width ?? 0
  const fitting = await width()
  expect(fitting).toBeGreaterThan(290)
  await second.locator('canvas').waitFor()
  expect((await second.boundingBox())?.height).toBeCloseTo(2 * fitting, 0)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width, { timeout: 90_000 }).toBeCloseTo(1.5 * fitting, -1)
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'viewer-pdf')
  expect(dialogs).toEqual([])
  expect(pageErrors).toEqual([])
})

test('audio begins at the time in its link, and a link to any time can be copied', async () => {
  const { open } = await uploadOf(['sound.wav'])
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${open('sound.wav')}&t=2`)
  const player = page.getByLabel('sound.wav', { exact: true })
  const second = () => player.evaluate((element) => (element as HTMLMediaElement).currentTime)
  await expect.poll(second, { timeout: 90_000 }).toBe(2)
  await player.evaluate((element) => ((element as HTMLMediaElement).currentTime = 3.4))
  await page.getByRole('button', { name: 'Copy link at 3 seconds' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 90_000 })
    .toBe(`${open('sound.wav')}&t=3`)
  expect(await violations(page)).toEqual([])
  expect(pageErrors).toEqual([])
})

test('a one-shot file is consumed only after confirmation, not by viewing the page', async () => {
  const { upload, open } = await uploadOf(['code.ts'], { oneShot: true })
  const sdk = createClient({ baseURL: server.url })
  const status = async () => (await sdk.upload(upload.id)).files[0]?.status
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(open('code.ts'))
  const viewButton = page.getByRole('button', { name: 'View now' })
  await viewButton.waitFor()
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'viewer-once')
  expect(await status()).toBe('uploaded')
  await viewButton.click()
  await page.getByTestId('text-viewer').getByText('export const total').waitFor()
  await expect.poll(status, { timeout: 90_000 }).toBe('removed')
  const saved = await downloaded(page, () => page.getByRole('button', { name: 'Save file' }).click())
  expect([saved.name, saved.bytes.toString()]).toEqual(['code.ts', code])
  expect(await violations(page)).toEqual([])
  expect(pageErrors).toEqual([])
})

test('protected files are shown with the password', async () => {
  const { open } = await uploadOf(['photo.png', 'code.ts'], { password: 'sesame' })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(open('photo.png'))
  await page.getByLabel('Password').fill('sesame')
  await page.getByRole('button', { name: 'Open' }).click()
  await naturalWidth(page, 'photo.png')
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('text-viewer').getByText('export const total').waitFor()
  expect(pageErrors).toEqual([])
})

test('an invalid text, an invalid picture, and a text that is too large are reported', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  const add = (fileName: string, bytes: BlobPart) =>
    sdk.addFile(upload.id, new Blob([bytes]), { fileName, uploadToken })
  const { id } = await add('binary.txt', new Uint8Array([200, 0, 1]))
  await add('broken.png', all['photo.png']?.slice(0, 40) ?? '')
  await add('large.txt', 'x'.repeat(5_000_001))
  await add('largest.txt', `${'y'.repeat(99)}\n`.repeat(50_000))
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload, { fileID: id }))
  await page.getByText('This browser cannot show this file').waitFor()
  await page.keyboard.press('ArrowRight')
  await waitForPosition(page, '2 of 4')
  await page.getByText('This browser cannot show this file').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('too large to view here').waitFor()
  await checkState(page, 'viewer-too-large')
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('text-viewer').getByText('yyyy').first().waitFor()
  expect(pageErrors).toEqual([])
})

describe('viewers fit the window', () => {
  test.for(
    ([390, 820, 1440] as const).flatMap((width) => [
      { width, colorScheme: 'light' as const },
      { width, colorScheme: 'dark' as const },
    ]),
  )('$width px, $colorScheme', async ({ width, colorScheme }) => {
    const { open } = await uploadOf(['code.ts', 'notes.md', 'photo.png'])
    const { page, context, pageErrors } = await visit(browser, server.url, {
      viewport: { width, height: 900 },
      colorScheme,
    })
    for (const name of ['code.ts', 'notes.md', 'photo.png']) {
      await page.goto(open(name))
      await page.locator('.cm-line, [data-testid=markdown-viewer], .viewer img').first().waitFor()
      expect(await overflow(page)).toBe(0)
      await screenshot(page, `viewer-${name}-${colorScheme}-${String(width)}`)
    }
    expect(pageErrors).toEqual([])
    await context.close()
  })
})
