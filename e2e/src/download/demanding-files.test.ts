import { createClient } from '@svc/sdk'
import type { UploadOptions } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { checkState } from '../support/page-checks.ts'
import { blackPicture, longPicture } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** The page of an upload with one file, which is shown. */
async function show(fileName: string, content: BlobPart, options: UploadOptions = {}) {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload(options)
  const file = await sdk.addFile(upload.id, new Blob([content]), {
    fileName,
    uploadToken: upload.uploadToken,
  })
  const visitor = await visit(browser, server.url)
  await visitor.page.goto(sdk.pageURL(upload, { fileID: file.id }))
  return visitor
}

/** A PDF of objects, the first of which is its catalog. */
function pdf(...contents: readonly string[]): string {
  const objects = contents.map((content, at) => `${String(at + 1)} 0 obj${content}endobj\n`)
  const start = '%PDF-1.7\n'
  const places = objects.map((_, at) => start.length + objects.slice(0, at).join('').length)
  return [
    start,
    ...objects,
    `xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f \n`,
    ...places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`),
    `trailer<</Root 1 0 R/Size ${String(objects.length + 1)}>>\n`,
    `startxref\n${String(start.length + objects.join('').length)}\n%%EOF`,
  ].join('')
}

/** A PDF of 60 kB, whose 2,000,000 pages are one object. */
const endlessPaper = pdf(
  '<</Type/Catalog/Pages 2 0 R>>',
  `<</Type/Pages/Kids[${'3 0 R '.repeat(200)}]/Count 2000000>>`,
  `<</Type/Pages/Parent 2 0 R/Kids[${'4 0 R '.repeat(10_000)}]/Count 10000>>`,
  '<</Type/Page/Parent 3 0 R/MediaBox[0 0 300 300]>>',
)

const manyWords = `BT /F1 8 Tf ${Array.from(
  { length: 20_000 },
  (_, at) => `1 0 0 1 ${String((at * 7) % 600)} ${String((at * 13) % 800)} Tm (a) Tj`,
).join('\n')} ET`
const crowdedPaper = pdf(
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  `<</Length ${String(manyWords.length)}>>stream\n${manyWords}\nendstream `,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
)

/** A thousand million rectangles. */
const copiedDrawing = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="g0"><path d="M0 0h9v9"/></g>',
  ...Array.from(
    { length: 9 },
    (_, at) => `<g id="g${String(at + 1)}">${`<use href="#g${String(at)}"/>`.repeat(10)}</g>`,
  ),
  '</svg>',
].join('')

test('a picture that would take too much memory is not decoded', async () => {
  const { page, pageErrors } = await show('map.png', blackPicture(12_000))
  await page.getByText('This file is too large to view here. Download it to open it.').waitFor()
  expect(await page.locator('.viewer img').count()).toBe(0)
  await checkState(page, 'viewer-picture-too-large')
  expect(pageErrors).toEqual([])
})

test('a picture that the browser can decode is shown, as a whole or, if it is very long, at full size', async () => {
  const square = await show('map.png', blackPicture(4000))
  const image = square.page.locator('.viewer img')
  await image.waitFor()
  expect((await image.boundingBox())?.height).toBeLessThan(800)
  await square.page.getByRole('button', { name: 'Show map.png at full size', pressed: false }).waitFor()
  const long = await show('chat.png', longPicture(200, 9000))
  await long.page.locator('.viewer img').waitFor()
  await long.page.getByRole('button', { name: 'Show chat.png at full size', pressed: true }).waitFor()
  expect((await long.page.locator('.viewer img').boundingBox())?.width).toBe(200)
  await checkState(long.page, 'viewer-picture-long')
  expect([...square.pageErrors, ...long.pageErrors]).toEqual([])
})

test.for(['notes.txt', 'photo.png', 'film.mp4', 'paper.pdf'])(
  'the viewer of the empty file %s says so',
  async (name) => {
    const { page, pageErrors } = await show(name, '')
    await page.locator('.viewer').getByText('This file is empty.').waitFor()
    expect(pageErrors).toEqual([])
  },
)

test('of a PDF with two million pages, those that the reader comes near are laid out', async () => {
  const { page, pageErrors } = await show('paper.pdf', endlessPaper)
  const laidOut = page.getByRole('group', { name: /^Page [\d,]+ of 2,000,000$/ })
  const drawing = (number: number) =>
    page.getByRole('group', { name: `Page ${number.toLocaleString('en')} of 2,000,000` }).locator('canvas')
  await drawing(1).waitFor()
  await page.locator('.tools').getByText('Page 1 of 2,000,000').waitFor()
  const atFirst = await laidOut.count()
  expect(atFirst).toBeLessThanOrEqual(500)
  await checkState(page, 'viewer-pdf-endless')

  await page.getByRole('region', { name: 'paper.pdf', exact: true }).press('End')
  await drawing(atFirst).waitFor()
  await page
    .locator('.tools')
    .getByText(`Page ${atFirst.toLocaleString('en')} of 2,000,000`)
    .waitFor()
  await expect.poll(() => laidOut.count(), { timeout: 90_000 }).toBe(2 * atFirst)
  // The pages that were left free their memory.
  await expect.poll(() => drawing(1).count(), { timeout: 90_000 }).toBe(0)
  expect(await page.locator('.pdf canvas').count()).toBeLessThan(20)
  expect(pageErrors).toEqual([])
})

test('the text of a crowded page of a PDF can be selected up to a limit', async () => {
  const { page, pageErrors } = await show('paper.pdf', crowdedPaper)
  await page.getByRole('group', { name: 'Page 1 of 1' }).locator('canvas').waitFor()
  const words = await page.locator('.pdf .words > span').count()
  expect(words).toBeGreaterThan(1000)
  expect(words).toBeLessThan(6000)
  expect(pageErrors).toEqual([])
})

describe('a file that would block the page while it is formatted is shown as source', () => {
  test.for([
    ['blocks.md', '```\n'.repeat(75_000)],
    ['lines.md', 'a\n'.repeat(150_000)],
    ['inline.md', '*a* '.repeat(1_250_000)],
    ['copies.svg', copiedDrawing],
  ] as const)('%s', async ([fileName, content]) => {
    const { page, pageErrors } = await show(fileName, content)
    await page.getByText('Formatting this file would take too long').waitFor()
    await page.getByTestId('text-viewer').locator('.cm-line').first().waitFor()
    expect(await page.locator('.viewer').getByRole('button').count()).toBe(0)
    await checkState(page, `viewer-source-${fileName}`)
    expect(pageErrors).toEqual([])
  })
})

test.for([
  ['letters', 'x'],
  ['control characters', '\u0001'],
] as const)('a line of 5 MB of %s is shown', async ([, character]) => {
  const { page, pageErrors } = await show('line.txt', character.repeat(5_000_000))
  await page.getByTestId('text-viewer').locator('.cm-line').waitFor()
  expect(await page.getByTestId('text-viewer').locator('*').count()).toBeLessThan(10_000)
  expect(await page.getByTestId('text-viewer').locator('.cm-lineWrapping').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('comments that would block the page are shown as they were written', async () => {
  const { page, pageErrors } = await show('a.bin', 'a', { comments: `*first*\n\n${'```\n'.repeat(8000)}` })
  await page.getByTestId('comments').getByText('*first*').waitFor()
  expect(await page.getByTestId('comments').locator('*').count()).toBe(0)
  expect(pageErrors).toEqual([])
})
