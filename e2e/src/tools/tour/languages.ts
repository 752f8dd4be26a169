import { createClient } from '@svc/sdk'
import { opened } from '../../support/page-actions.ts'
import { chooseDrawn, newPage, upload, type Chapter, type Scene, type Stage } from './stage.ts'

const languages = { ar: 'Arabic', he: 'Hebrew', de: 'German' } as const

/** Some screens in a language, found without the words of it. */
const inLanguage =
  (locale: keyof typeof languages): Scene =>
  async (stage: Stage) => {
    const { open, accounts, shoot, drawn } = stage
    const name = languages[locale]
    const sdk = createClient({ baseURL: open.url })
    const page = await newPage(stage, open.url, { locale })
    await page.goto(`${open.url}/`)
    await opened(page)
    await shoot(page, `start-${locale}`, `${name}: the start`)
    await chooseDrawn(stage, page, open.url)
    await shoot(page, `chosen-${locale}`, `${name}: files are chosen`)
    await page.locator('.send .primary').click()
    await page.locator('.title .tick').waitFor()
    await shoot(page, `ready-${locale}`, `${name}: ready to share`)
    const sent = await upload(
      stage,
      drawn.map((file) => file.name),
      {
        comments: 'Three days in **Rome**.',
        maxDownloads: 5,
      },
    )
    await page.goto(sent.link)
    await opened(page)
    await shoot(page, `received-${locale}`, `${name}: files for a recipient`)
    const request = await sdk.createUploadRequest({ title: 'Photos', senderName: 'required', maxFiles: 9 })
    await page.goto(sdk.requestURL(request))
    await page.locator('.about').waitFor()
    await shoot(page, `request-${locale}`, `${name}: someone asks for files`)
    await page.goto(`${open.url}/#/requests`)
    await opened(page)
    await page.locator('.make .disclosure').click()
    await page.locator('.more-fields').waitFor()
    await shoot(page, `request-options-${locale}`, `${name}: options of a request`, { tall: true })
    await page.goto(`${open.url}/#/?id=0000000000000000`)
    await opened(page)
    await shoot(page, `gone-${locale}`, `${name}: no longer available`)
    const guest = await newPage(stage, accounts.url, { locale })
    await guest.goto(`${accounts.url}/#/login`)
    await opened(guest)
    await shoot(guest, `sign-in-${locale}`, `${name}: signing in`)
  }

const scene = (locale: keyof typeof languages): Scene =>
  Object.defineProperty(inLanguage(locale), 'name', { value: locale })

export const otherLanguages: Chapter = {
  title: 'Other languages',
  scenes: [scene('ar'), scene('he'), scene('de')],
}
