import type { Page } from 'playwright-core'
import { picture, silence } from '../../support/samples/media.ts'
import { openPage, upload, uploadContent, type Chapter, type Stage } from './stage.ts'

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

async function pictures(stage: Stage): Promise<void> {
  const { link } = await upload(
    stage,
    stage.drawn.map(({ name }) => name),
  )
  const page = await openPage(stage, link)
  await page.locator('a.see').first().click()
  await page.locator('.viewer img').waitFor()
  await stage.shoot(page, 'viewer', 'A picture among others')
  await page.keyboard.press('Escape')
  await show(page, 'report.pdf')
  await page
    .getByRole('group', { name: /^Page 1 of/ })
    .locator('canvas')
    .waitFor()
  await stage.shoot(page, 'viewer-pdf', 'A document')
  await page.keyboard.press('Escape')
  await show(page, 'film.webm')
  await page.locator('video').waitFor()
  // Buffered to its end: until then a sign of loading covers it.
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 4)
  await stage.shoot(page, 'viewer-video', 'A video')
}

async function texts(stage: Stage): Promise<void> {
  const { link } = await uploadContent(stage, {
    'days.ts': code,
    'interview.wav': silence(90),
    'notes.md': notes,
    'unreadable.png': picture.slice(0, 40),
  })
  const page = await openPage(stage, link)
  await show(page, 'days.ts')
  await page.getByTestId('text-viewer').getByText('export async function').waitFor()
  await stage.shoot(page, 'viewer-text', 'A text')
  await page.keyboard.press('Escape')
  await show(page, 'notes.md')
  await page.getByRole('heading', { name: 'Three days in Rome' }).waitFor()
  await stage.shoot(page, 'viewer-markdown', 'A formatted text')
  await page.keyboard.press('Escape')
  await show(page, 'interview.wav')
  await page.getByLabel('interview.wav', { exact: true }).waitFor()
  await stage.shoot(page, 'viewer-audio', 'A recording')
  await page.keyboard.press('Escape')
  await show(page, 'unreadable.png')
  await page.getByText('This browser cannot show this file').waitFor()
  await stage.shoot(page, 'viewer-unreadable', 'A file that the browser cannot show')
}

async function once(stage: Stage): Promise<void> {
  const { link } = await uploadContent(stage, { 'days.ts': code }, { oneShot: true })
  const page = await openPage(stage, link)
  await page.getByRole('link', { name: 'View', exact: true }).click()
  await page.getByRole('button', { name: 'View now' }).waitFor()
  await stage.shoot(page, 'viewer-once', 'A file that can be viewed once')
}

export const viewing: Chapter = { title: 'Viewing', scenes: [pictures, texts, once] }
