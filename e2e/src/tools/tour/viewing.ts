import type { Page } from 'playwright-core'
import { picture, silence } from '../../support/samples/media.ts'
import { openPage, upload, uploadContent, type TourSection, type TourContext } from './tour-context.ts'

const code = `import { readFile } from 'node:fs/promises'

/** The days of a trip, from a file with a line for each. */
export async function readDays(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8')
  return text.split('\\n').filter((line) => line.trim() !== '')
}
`
const notes = `# Three days in Rome

1. The **Colosseum** at dawn
2. The Tiber, and \`Trastevere\` at night
3. Hills

> Bring good shoes.

| Day | Start |
| --- | ----- |
| 1   | 06:00 |
| 2   | 09:00 |
`

const show = async (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

async function pictures(tour: TourContext): Promise<void> {
  const { link } = await upload(
    tour,
    tour.sampleFiles.map(({ name }) => name),
  )
  const page = await openPage(tour, link)
  await page.locator('a.see').first().click()
  await page.locator('.viewer img').waitFor()
  await tour.screenshot(page, 'viewer', 'A picture among others')
  await page.keyboard.press('Escape')
  await show(page, 'report.pdf')
  await page
    .getByRole('group', { name: /^Page 1 of/ })
    .locator('canvas')
    .waitFor()
  await tour.screenshot(page, 'viewer-pdf', 'A document')
  await page.keyboard.press('Escape')
  await show(page, 'film.webm')
  await page.locator('video').waitFor()
  // Buffered to its end: until then a sign of loading covers it.
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 4)
  await tour.screenshot(page, 'viewer-video', 'A video')
}

async function texts(tour: TourContext): Promise<void> {
  const { link } = await uploadContent(tour, {
    'days.ts': code,
    'interview.wav': silence(90),
    'notes.md': notes,
    'unreadable.png': picture.slice(0, 40),
  })
  const page = await openPage(tour, link)
  await show(page, 'days.ts')
  await page.getByTestId('text-viewer').getByText('export async function').waitFor()
  await tour.screenshot(page, 'viewer-text', 'A text')
  await page.keyboard.press('Escape')
  await show(page, 'notes.md')
  await page.getByRole('heading', { name: 'Three days in Rome' }).waitFor()
  await tour.screenshot(page, 'viewer-markdown', 'A formatted text')
  await page.keyboard.press('Escape')
  await show(page, 'interview.wav')
  await page.getByLabel('interview.wav', { exact: true }).waitFor()
  await tour.screenshot(page, 'viewer-audio', 'A recording')
  await page.keyboard.press('Escape')
  await show(page, 'unreadable.png')
  await page.getByText('This browser cannot show this file').waitFor()
  await tour.screenshot(page, 'viewer-unreadable', 'A file that the browser cannot show')
}

async function once(tour: TourContext): Promise<void> {
  const { link } = await uploadContent(tour, { 'days.ts': code }, { oneShot: true })
  const page = await openPage(tour, link)
  await page.getByRole('link', { name: 'View', exact: true }).click()
  await page.getByRole('button', { name: 'View now' }).waitFor()
  await tour.screenshot(page, 'viewer-once', 'A file that can be viewed once')
}

export const viewing: TourSection = { title: 'Viewing', steps: { pictures, texts, once } }
