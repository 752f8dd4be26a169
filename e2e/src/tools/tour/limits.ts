import type { Page } from 'playwright-core'
import { signedIn } from '../../support/accounts.ts'
import { opened, pick, selectionShown, sendButton } from '../../support/page-actions.ts'
import { newPage, newUser, openPage, upload, type TourSection, type TourContext } from './tour-context.ts'

/** Chooses files that no disk has. */
const chooseMany = (page: Page, count: number) =>
  page.locator('[data-testid=files]').evaluate((input: HTMLInputElement, total) => {
    const chosen = new DataTransfer()
    for (let index = 1; index <= total; index += 1)
      chosen.items.add(new File(['x'.repeat(900 + index)], `photo ${String(index)}.raw`))
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, count)

async function many(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const page = await openPage(tour, `${open.url}/`)
  await chooseMany(page, 2000)
  await sendButton(page).getByText('Upload 1,000 files').waitFor()
  await page.getByText('photo 1.raw').waitFor()
  await screenshot(page, 'chosen-many', '2,000 files are chosen')
}

/** A user with 10 MB, and a little less than 1 MB free. */
async function nearlyFull(tour: TourContext, login: string): Promise<Page> {
  const { page, user, sdk } = await newUser(tour, login)
  const admin = await signedIn(tour.accounts.url)
  await admin.updateUser(`local:${user.login}`, { maxUserSize: 10_000_000 })
  const { id } = await sdk.createUpload()
  await sdk.addFile(id, new Blob([new Uint8Array(9_200_000)]), { fileName: 'archive.zip' })
  await page.goto('about:blank')
  await page.goto(`${tour.accounts.url}/`)
  await opened(page)
  return page
}

const threeFiles = [
  { name: 'notes.txt', bytes: Buffer.alloc(12_000, 'a') },
  { name: 'budget.xlsx', bytes: Buffer.alloc(48_000, 'a') },
  { name: 'film.mp4', bytes: Buffer.alloc(990_000, 'a') },
]

async function withoutSpace(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const page = await nearlyFull(tour, 'hedy')
  await pick(page, threeFiles)
  await page.getByText(/^Not enough storage/).waitFor()
  await screenshot(page, 'no-space', 'A file does not fit in the storage of the account')
  const other = await nearlyFull(tour, 'radia')
  // The page does not know how much is free.
  await other.route('**/me/stats', (route) => route.fulfill({ status: 503, body: '' }))
  await pick(other, threeFiles)
  await selectionShown(other)
  await sendButton(other).click()
  await other.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
  await screenshot(other, 'quota', 'The storage of the account is full during the upload')
}

async function refused(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const bot = await newPage(tour, open.url, { userAgent: 'Slackbot-LinkExpanding 1.0' })
  await bot.goto((await upload(tour, ['report.pdf'], { oneShot: true })).link)
  await bot.getByRole('link', { name: 'Download' }).click()
  await bot.getByRole('button', { name: 'Download now' }).click()
  await bot.getByRole('alert').getByText('Download refused').waitFor()
  await screenshot(
    bot,
    'refused-bot',
    'A browser that looks like a link preview gets no file for one download',
  )
  const page = await openPage(tour, (await upload(tour, ['report.pdf', 'budget.xlsx'])).link)
  await page.route(/\/(?:file|archive)\//, (route) =>
    route.fulfill({
      status: 429,
      json: { code: 'too_many_connections', message: 'too many connections' },
    }),
  )
  await page.getByRole('link', { name: 'Download report.pdf' }).click()
  await page.getByRole('alert').getByText('There are too many connections from your network.').waitFor()
  await screenshot(page, 'refused-limit', 'A limit of the server refuses a download')
}

async function loading(tour: TourContext): Promise<void> {
  const { accounts, screenshot } = tour
  const { link } = await upload(tour, ['report.pdf', 'budget.xlsx'])
  const page = await newPage(tour, tour.open.url)
  const never = () => Promise.resolve()
  await page.route(/\/upload\/\w+$/, never)
  await page.goto(link)
  await page.getByText('Loading…').first().waitFor()
  await screenshot(page, 'loading', 'Files for a recipient are loading')
  const { page: other } = await newUser(tour, 'annie')
  await other.route(/\/me\/uploads/, never)
  await other.goto(`${accounts.url}/#/home/uploads`)
  await other.getByText('Loading…').first().waitFor()
  await screenshot(other, 'loading-list', 'A list is loading')
}

export const limits: TourSection = {
  title: 'Limits and waiting',
  steps: { many, withoutSpace, refused, loading },
}
