import { createClient } from '@svc/sdk'
import { opened } from '../../support/page-actions.ts'
import { chooseSampleFiles, newPage, upload, type TourSection, type TourStep } from './tour-context.ts'

const languages = { ar: 'Arabic', he: 'Hebrew', de: 'German' } as const

/** Some screens in a language. Selectors find the elements, not texts. */
const inLanguage =
  (locale: keyof typeof languages): TourStep =>
  async (tour) => {
    const { open, accounts, screenshot, sampleFiles } = tour
    const name = languages[locale]
    const sdk = createClient({ baseURL: open.url })
    const page = await newPage(tour, open.url, { locale })
    await page.goto(`${open.url}/`)
    await opened(page)
    await screenshot(page, `start-${locale}`, `${name}: the start`)
    await chooseSampleFiles(tour, page, open.url)
    await screenshot(page, `chosen-${locale}`, `${name}: files are chosen`)
    await page.locator('.send .primary').click()
    await page.locator('.title .tick').waitFor()
    await screenshot(page, `ready-${locale}`, `${name}: ready to share`)
    const sent = await upload(
      tour,
      sampleFiles.map((file) => file.name),
      {
        comments: 'Three days in **Rome**.',
        maxDownloads: 5,
      },
    )
    await page.goto(sent.link)
    await opened(page)
    await screenshot(page, `received-${locale}`, `${name}: files for a recipient`)
    const request = await sdk.createUploadRequest({ title: 'Photos', senderName: 'required', maxFiles: 9 })
    await page.goto(sdk.requestURL(request))
    await page.locator('.about').waitFor()
    await screenshot(page, `request-${locale}`, `${name}: someone asks for files`)
    await page.goto(`${open.url}/#/requests`)
    await opened(page)
    await page.locator('.make .disclosure').click()
    await page.locator('.more-fields').waitFor()
    await screenshot(page, `request-options-${locale}`, `${name}: options of a request`, { tall: true })
    await page.goto(`${open.url}/#/?id=0000000000000000`)
    await opened(page)
    await screenshot(page, `gone-${locale}`, `${name}: no longer available`)
    const guest = await newPage(tour, accounts.url, { locale })
    await guest.goto(`${accounts.url}/#/login`)
    await opened(guest)
    await screenshot(guest, `sign-in-${locale}`, `${name}: signing in`)
  }

export const otherLanguages: TourSection = {
  title: 'Other languages',
  steps: { ar: inLanguage('ar'), he: inLanguage('he'), de: inLanguage('de') },
}
