import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { pdf, picture, silence } from '../support/samples/media.ts'
import { downloaded } from '../support/page-actions.ts'
import { expectFocus, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const files = [
  { name: 'notes.txt', bytes: Buffer.from('first line\n') },
  { name: 'paper.pdf', bytes: Buffer.from(pdf) },
  { name: 'photo.png', bytes: Buffer.from(picture) },
  { name: 'sound.wav', bytes: Buffer.from(silence(100)) },
  { name: 'other.bin', bytes: Buffer.from([0, 1, 2, 250]) },
]
/** ms, on a busy machine. */
const timeout = 90_000
const viewer = (page: Page, name: string) => page.getByRole('region', { name: `View ${name}` })
const viewLink = (page: Page, name: string) => page.getByRole('link', { name: `View ${name}` })
const widthOf = (image: Locator) => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)

/** Opens the list with what has come. */
async function inboxWith(encrypt: boolean) {
  const visited = await visit(browser, server.url)
  const { page } = visited
  const link = await ask(page, server.url, { encrypt })
  await sendAs(browser, 'Bob', link, files)
  await sendAs(browser, 'Ada', link, [{ name: 'later.txt', bytes: Buffer.from('from Ada\n') }])
  await page.reload()
  await received(page).nth(1).getByText('notes.txt').waitFor()
  return visited
}

test.for([
  ['encrypted', true],
  ['not encrypted', false],
] as const)(
  'the owner looks at received files one after the other, without downloading them: %s',
  { timeout: screenshotTimeout },
  async ([, encrypt]) => {
    const { page, pageErrors } = await inboxWith(encrypt)
    const checker = pageChecker(page, `received-viewer-${encrypt ? 'encrypted' : 'plain'}`)
    const saved: string[] = []
    page.on('download', (download) => saved.push(download.suggestedFilename()))
    expect(await viewLink(page, 'other.bin').count()).toBe(0)
    const list = page.url()
    await viewLink(page, 'notes.txt').click()
    await viewer(page, 'notes.txt').getByText('first line').waitFor()
    await page.getByText('2 of 5', { exact: true }).waitFor()
    await checker.checkViews('text')
    await page.keyboard.press('ArrowRight')
    await viewer(page, 'paper.pdf').getByText('Hello paper').waitFor()
    await page.getByRole('button', { name: 'Next file' }).click()
    const image = viewer(page, 'photo.png').locator('img')
    await expect.poll(() => widthOf(image), { timeout }).toBe(120)
    await checker.checkViews('picture')
    await page.reload()
    await expect.poll(() => widthOf(image), { timeout }).toBe(120)
    await page.getByRole('button', { name: 'Next file' }).click()
    const player = page.frameLocator('iframe').getByLabel('sound.wav', { exact: true })
    await expect
      .poll(() => player.evaluate((element) => (element as HTMLMediaElement).duration), { timeout })
      .toBe(100)
    await page.keyboard.press('ArrowRight')
    await page.getByText('5 of 5', { exact: true }).waitFor()
    for (let back = 0; back < 4; back += 1) await page.getByRole('button', { name: 'Previous file' }).click()
    await viewer(page, 'later.txt').getByText('from Ada').waitFor()
    expect(saved).toEqual([])
    const file = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    )
    expect(file.bytes.toString()).toBe('from Ada\n')

    await page.keyboard.press('Escape')
    await viewLink(page, 'notes.txt').waitFor()
    expect(page.url()).toBe(list)
    await expectFocus(viewLink(page, 'later.txt'))
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)
