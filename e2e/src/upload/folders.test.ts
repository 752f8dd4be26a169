import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import {
  downloaded,
  flip,
  opened,
  openOptions,
  selectionShown,
  send,
  sendButton,
} from '../support/page-actions.ts'
import { expectFocus, pageChecker, screenshotTimeout, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** Chooses a folder with files of these paths, each with its path as its content. */
async function chooseFolder(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.locator('[data-testid=folder]').evaluate((input: HTMLInputElement, all) => {
    const chosen = new DataTransfer()
    for (const path of all) {
      const file = new File([path], path.split('/').at(-1) ?? '')
      // Pages cannot set the path of a file: the browser does, when someone chooses a folder.
      Object.defineProperty(file, 'webkitRelativePath', { value: path })
      chosen.items.add(file)
    }
    Object.defineProperty(input, 'files', { value: [...chosen.files], configurable: true })
    for (const [index, path] of all.entries())
      Object.defineProperty(Reflect.get(input.files ?? [], index), 'webkitRelativePath', { value: path })
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, paths)
  await selectionShown(page)
}

const list = (page: Page) => page.getByRole('region', { name: 'Files' })
const folder = (page: Page, name: string) => list(page).getByRole('button', { name, exact: true })
const rows = (page: Page) => list(page).getByRole('listitem')
const namesOf = (page: Page) => rows(page).locator('.file-name').allTextContents()
const expanded = (page: Page, name: string) => folder(page, name).getAttribute('aria-expanded')

/** The names in the central directory of a zip. */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf('PK\x01\x02'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 1))
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  return names
}

const views: readonly View[] = ([390, 820, 1440] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme): View => ({ width, colorScheme, axe: width !== 820 })),
)

const few = [
  'trip/plan.txt',
  'trip/day 1/harbour.jpg',
  `trip/day 1/${'a photo of the old town and the harbour '.repeat(4)}7.jpg`,
  'trip/day 2/evening/lights.jpg',
]

test(
  'a chosen folder is a tree, also for the recipient',
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await chooseFolder(page, few)
    const { checkViews, problems } = pageChecker(page, 'folders', views)
    await expect
      .poll(() => namesOf(page))
      .toEqual([
        'trip',
        'day 1',
        'harbour.jpg',
        few[2]?.split('/')[2],
        'day 2/evening',
        'lights.jpg',
        'plan.txt',
      ])
    await rows(page).filter({ hasText: 'day 1' }).getByText('2 files').waitFor()
    await checkViews('chosen')
    await folder(page, 'day 1').focus()
    await page.keyboard.press('Enter')
    expect(await expanded(page, 'day 1')).toBe('false')
    await expect
      .poll(() => namesOf(page))
      .toEqual(['trip', 'day 1', 'day 2/evening', 'lights.jpg', 'plan.txt'])
    await page.keyboard.press('Space')
    expect(await expanded(page, 'day 1')).toBe('true')
    await page.getByRole('button', { name: 'Remove day 2/evening from the list' }).click()
    await sendButton(page).getByText('Upload 3 files').waitFor()
    const link = await send(page)

    await page.goto(link)
    await page.getByRole('heading', { name: '3 files for you' }).waitFor()
    await checkViews('received')
    await folder(page, 'day 1').click()
    await expect.poll(() => namesOf(page)).toEqual(['trip', 'day 1', 'plan.txt'])
    await folder(page, 'day 1').click()
    const got = await downloaded(page, () =>
      page.getByRole('link', { name: 'Download trip/day 1/harbour.jpg' }).click(),
    )
    expect(got.bytes.toString()).toBe('trip/day 1/harbour.jpg')
    const zip = await downloaded(page, () => page.getByRole('button', { name: 'Download day 1' }).click())
    expect(zip.name).toBe('day 1.zip')
    expect(namesInZip(zip.bytes)).toEqual(['day 1/harbour.jpg', few[2]?.slice('trip/'.length)])
    await rows(page).filter({ hasText: 'day 1' }).getByText('Downloaded.').waitFor()
    expect(problems).toEqual([])
    expect(pageErrors).toEqual([])
  },
  screenshotTimeout,
)

test('a folder of encrypted files is decrypted into a zip, and the sender sees folders while they are uploaded', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const release = Promise.withResolvers<undefined>()
  await chooseFolder(page, few)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await page.route(/\/tus\//, async (route) => {
    await release.promise
    await route.continue()
  })
  await sendButton(page).click()
  // The chosen files have the same rows.
  await page.getByRole('heading', { name: /^Uploading/ }).waitFor()
  await expect
    .poll(() => namesOf(page))
    .toEqual([
      'trip',
      'day 1',
      'harbour.jpg',
      few[2]?.split('/')[2],
      'day 2/evening',
      'lights.jpg',
      'plan.txt',
    ])
  await folder(page, 'day 1').click()
  await page.getByRole('progressbar', { name: 'Progress of day 1', exact: true }).waitFor()
  expect(await namesOf(page)).not.toContain('harbour.jpg')
  release.resolve(undefined)
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  expect(await page.getByRole('progressbar', { name: /^Progress of/ }).count()).toBe(0)

  await page.getByRole('link', { name: 'Open page' }).click()
  const zip = await downloaded(page, () =>
    page.getByRole('button', { name: 'Download day 2/evening' }).click(),
  )
  expect(zip.name).toBe('evening.zip')
  expect(namesInZip(zip.bytes)).toEqual(['day 2/evening/lights.jpg'])
  expect(zip.bytes.includes('trip/day 2/evening/lights.jpg')).toBe(true)
  expect(pageErrors).toEqual([])
})

test('the button of a folder keeps the focus while the folder is downloaded, and a long name is one word', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const long = 'photos-of-the-old-town-and-the-harbour'
  await chooseFolder(page, [`${long}/a.txt`, `${long}/b.txt`])
  expect(await expanded(page, long)).toBe('true')
  await page.goto(await send(page))
  const get = page.getByRole('button', { name: `Download ${long}` })
  const release = Promise.withResolvers<undefined>()
  await page.route(/\/file\//, async (route) => {
    await release.promise
    await route.continue()
  })
  await get.focus()
  await page.keyboard.press('Enter')
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await cancel.focus()
  await page.keyboard.press('Enter')
  await cancel.waitFor({ state: 'detached' })
  await expectFocus(get)
  await page.keyboard.press('Enter')
  await cancel.waitFor()
  await expectFocus(get)
  await expect.poll(() => get.getAttribute('aria-disabled')).toBe('true')
  release.resolve(undefined)
  await rows(page).filter({ hasText: '2 files' }).getByText('Downloaded.').waitFor()
  await expectFocus(get)
  expect(pageErrors).toEqual([])
})

test('a folder whose downloads count has no button to download it', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await chooseFolder(page, few)
  await openOptions(page)
  await flip(page, 'One-time download')
  await page.goto(await send(page))
  await folder(page, 'day 1').waitFor()
  expect(await page.getByRole('button', { name: /^Download / }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('among many files, folders are closed at first, and only the rows in the window exist', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const many = Array.from(
    { length: 2000 },
    (_, index) => `photos/${String(2020 + (index % 4))}/photo ${String(index)}.jpg`,
  )
  await chooseFolder(page, many)
  await expect.poll(() => namesOf(page)).toEqual(['photos', '2020', '2021', '2022', '2023'])
  await rows(page).first().getByText('2,000 files').waitFor()
  // The limit of files per link: those beyond it are in the last two folders.
  await rows(page).first().getByText('Files with problems: 1,000').waitFor()
  await folder(page, '2020').click()
  await page.getByText('photo 0.jpg', { exact: true }).waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  // Without a pointer, the place of the focus is the place in the list.
  await page.getByRole('button', { name: 'Remove photos/2020/photo 0.jpg from the list' }).focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Remove photos/2020/photo 4.jpg from the list')
  await folder(page, '2020').click()
  await page.getByRole('button', { name: 'Remove 2023 from the list' }).click()
  await expect.poll(() => namesOf(page)).toEqual(['photos', '2020', '2021', '2022'])
  expect(pageErrors).toEqual([])
})
