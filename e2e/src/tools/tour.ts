import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { launch, launchWithNotifications, visit } from '../support/browser.ts'
import { ask, received, sendAs } from '../requests/asking.ts'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { flip, openOptions, opened, send, sendButton } from '../support/page-actions.ts'
import { startServer } from '../support/server.ts'
import { drawnFiles } from './drawn-files.ts'

/**
 * Takes pictures of the states of the page, in three widths, light and dark, and writes the page that shows them:
 * `npm run tour`.
 */
const docs = path.join(import.meta.dirname, '../../../docs')
const folder = path.join(docs, 'images/tour')
/** Bytes of all pictures. */
const maxTotal = 6_000_000

const widths = [390, 820, 1440] as const
const colours = ['light', 'dark'] as const
/** The background in each colour scheme. */
const papers = { light: 'rgb(245, 244, 239)', dark: 'rgb(18, 20, 18)' } as const
/** Frames after which rows that were out of sight have the new colours. */
const frames = 6

interface Shown {
  readonly name: string
  readonly words: string
}
const states: Shown[] = []

/** A picture as WebP, which the browser compresses. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const bytes = await page.evaluate(async (base64) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 })
    return [...new Uint8Array(await blob.arrayBuffer())]
  }, png.toString('base64'))
  return Buffer.from(bytes)
}

/** Waits until a page has its colours, its pictures and no animation. */
async function settled(page: Page, background: string): Promise<void> {
  await page.waitForFunction(
    (expected) => getComputedStyle(document.documentElement).backgroundColor === expected,
    background,
  )
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.thumbnail img')].every(({ complete }) => complete),
  )
  await page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame)
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  }, frames)
}

/** A change of the colours applies at once, also to what is out of sight. */
const stopTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*, *::before, *::after { content-visibility: visible !important; transition: none !important }',
    )
    document.adoptedStyleSheets.push(sheet)
  })

/** Takes the pictures of a state. */
function photographer(compressor: Page) {
  return async (page: Page, name: string, words: string) => {
    states.push({ name, words })
    await stopTransitions(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
      for (const colorScheme of colours) {
        await page.emulateMedia({ colorScheme })
        await settled(page, papers[colorScheme])
        const png = await page.screenshot()
        await writeFile(
          path.join(folder, `${name}-${String(width)}-${colorScheme}.webp`),
          await webp(compressor, png),
        )
      }
    }
    await page.setViewportSize({ width: 820, height: 900 })
  }
}

const picture = ({ name }: Shown, width: number, colour: string) =>
  `[![${name}, ${String(width)} px, ${colour}](images/tour/${name}-${String(width)}-${colour}.webp)](images/tour/${name}-${String(width)}-${colour}.webp)`

const pageText = (): string =>
  [
    '# A tour of the page',
    'Each state in three widths, light and dark. `npm run tour` takes the pictures and writes this page.',
    ...states.flatMap((state) => [
      `## ${state.words}`,
      ...colours.map((colour) => widths.map((width) => picture(state, width, colour)).join('\n')),
    ]),
  ].join('\n\n') + '\n'

async function tour(url: string, browser: Browser): Promise<void> {
  const { page: compressor } = await visit(browser, url)
  const shoot = photographer(compressor)
  const { page } = await visit(browser, url, { viewport: { width: 820, height: 900 } })
  const sdk = createClient({ baseURL: url })
  const open = async (address: string) => {
    await page.goto('about:blank')
    await page.goto(address)
    await opened(page)
  }
  const drawn = await drawnFiles(compressor)
  const choose = async () => {
    await open(`${url}/`)
    await page.setInputFiles('[data-testid=files]', drawn)
    await sendButton(page).waitFor()
    await page.locator('.thumbnail img').nth(2).waitFor()
  }
  const upload = async (names: readonly string[], options = {}, pathOf = (name: string) => name) => {
    const chosen = drawn.filter(({ name }) => names.includes(name))
    // Only declared files have folders.
    const files = chosen.map(({ name }) => ({ reference: name, fileName: pathOf(name) }))
    const created = await sdk.createUpload({ ...options, files })
    const { uploadToken } = created
    for (const { name, buffer } of chosen) {
      const { id, fileName = '' } = created.files.find(({ reference }) => reference === name) ?? {}
      await sdk.addFile(created.id, new Blob([new Uint8Array(buffer)]), { fileName, fileID: id, uploadToken })
    }
    return sdk.pageURL(created)
  }
  const all = drawn.map(({ name }) => name)
  const [photo = ''] = all

  await open(`${url}/`)
  await shoot(page, 'start', 'The start')
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('# Three days in Rome\n\n- the Colosseum at dawn\n- the Tiber')
  await shoot(page, 'text', 'Writing text')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await choose()
  await shoot(page, 'chosen', 'Files are chosen')
  await openOptions(page)
  await flip(page, 'Password protection')
  await page.getByLabel('Password', { exact: true }).fill('three days')
  await shoot(page, 'options', 'Options')
  await flip(page, 'Password protection')
  await page.route(/\/tus\//, () => undefined)
  await sendButton(page).click()
  await page.getByRole('progressbar', { name: 'All files' }).waitFor()
  await shoot(page, 'uploading', 'Files are uploaded')
  await page.unroute(/\/tus\//)
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await choose()
  await send(page)
  await shoot(page, 'ready', 'Ready to share')
  await open(`${url}/#/sent`)
  await page.getByText('Expires in').first().waitFor()
  await shoot(page, 'sent', 'Sent from this device')
  await open(await upload(all, { comments: 'Three days in **Rome**.' }))
  await page.locator('.thumbnail img').first().waitFor()
  await shoot(page, 'received', 'Files for a recipient')
  await page.locator('a.see').first().click()
  await page.locator('.viewer img').waitFor()
  await shoot(page, 'viewer', 'A picture among others')
  await open(await upload(all, {}, (name) => (name === 'report.pdf' ? name : `Rome/${name}`)))
  await page.locator('.thumbnail img').first().waitFor()
  await shoot(page, 'folders', 'Files in folders')
  await open(await upload([photo]))
  await page.locator('.hero .thumbnail img').waitFor()
  await shoot(page, 'file', 'A single file')
  await page.getByRole('button', { name: `QR code of ${photo}` }).click()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await shoot(page, 'qr-code', 'Its QR code')
  const once = await upload(['report.pdf'], { oneShot: true })
  await open(once)
  await shoot(page, 'one-time', 'A file for one download')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
  await shoot(page, 'downloaded', 'It was downloaded')
  await open(await upload(['report.pdf'], { password: 'three days' }))
  await page.getByLabel('Password').waitFor()
  await shoot(page, 'password', 'A password is needed')
  await open(`${url}/#/?id=0000000000000000`)
  await shoot(page, 'gone', 'No longer available')
  const stranger = await visit(browser, url)
  await stranger.page.goto(`${url}/#/sent`)
  await opened(stranger.page)
  await shoot(stranger.page, 'nothing-sent', 'Nothing was sent yet')
  await requests(url, browser, shoot)
  for (const [locale, words] of [
    ['ar', 'In Arabic'],
    ['he', 'In Hebrew'],
  ] as const) {
    const reader = await visit(browser, url, { locale })
    await reader.page.goto(`${url}/`)
    await opened(reader.page)
    await reader.page.setInputFiles('[data-testid=files]', drawn)
    await reader.page.locator('.thumbnail img').nth(2).waitFor()
    await shoot(reader.page, `chosen-${locale}`, words)
  }
}

type Shoot = ReturnType<typeof photographer>

/** The pages of upload requests: of the owner, and of a sender. */
async function requests(url: string, browser: Browser, shoot: Shoot): Promise<void> {
  const { page } = await visit(browser, url, { viewport: { width: 820, height: 900 } })
  const link = await ask(page, url)
  const sender = await visit(browser, url, { viewport: { width: 820, height: 900 } })
  await sender.page.goto(link)
  await sender.page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await shoot(sender.page, 'request', 'Someone asks for files')
  await sendAs(browser, 'Ada Lovelace', link)
  await page.reload()
  await received(page).waitFor()
  await shoot(page, 'inbox', 'What has come')
  await page.goto(`${url}/#/requests`)
  await page.getByText('Uploads: 1').waitFor()
  await shoot(page, 'requests', 'Requests of the owner')
}

/** The notifications of an account. */
async function notifications(url: string): Promise<void> {
  const browser = await launchWithNotifications()
  const { page: compressor } = await visit(browser, url)
  const sdk = await signedIn(url)
  await sdk.createMyWebhook({
    url: 'https://chat.example/hooks/uploads',
    events: ['upload.downloaded', 'request.received'],
    description: 'Chat of the team',
  })
  const { page } = await visit(browser, url, {
    viewport: { width: 820, height: 900 },
    permissions: ['notifications'],
  })
  await logIn(page, url)
  await page.goto(`${url}/#/home/notifications`)
  await page.getByText('Chat of the team').waitFor()
  await photographer(compressor)(page, 'notifications', 'Notifications of an account')
  await browser.close()
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [server, withUsers, browser] = await Promise.all([startServer(), startServer(withAccounts), launch()])
try {
  await tour(server.url, browser)
  await notifications(withUsers.url)
} finally {
  await browser.close()
  await Promise.all([server.stop(), withUsers.stop()])
}
await writeFile(path.join(docs, 'tour.md'), pageText())
const sizes = await Promise.all(
  (await readdir(folder)).map(async (file) => (await stat(path.join(folder, file))).size),
)
const total = sizes.reduce((sum, size) => sum + size, 0)
process.stdout.write(`${String(sizes.length)} pictures, ${String(total)} bytes\n`)
if (total > maxTotal) throw new Error(`the pictures have at most ${String(maxTotal)} bytes`)
