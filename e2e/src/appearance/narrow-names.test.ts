import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const names = [
  '2026 Q3 #4 50% off.txt',
  'Steuererklärung_2025_final_überarbeitet.pdf',
  'Contract signed by both parties.docx',
  'IMG_20260714_183012.jpg',
  'Family photo.jpg',
  'presentation of the year.numbers',
  'דוח שנתי 2026.txt',
  'a.txt',
]

test.for([320, 340, 390, 1440])(
  'with a width of %i, a shortened name has its first letter, an ellipsis and its extension',
  async (width) => {
    const sdk = createClient({ baseURL: server.url })
    const files = names.map((fileName) => ({ reference: fileName, fileName }))
    const upload = await sdk.createUpload({ files })
    const { uploadToken } = upload
    for (const { id: fileID, fileName = '' } of upload.files)
      await sdk.addFile(upload.id, new Blob(['text']), { fileName, fileID, uploadToken })
    const { page, pageErrors } = await visit(browser, server.url, { viewport: { width, height: 800 } })
    await page.goto(sdk.pageURL(upload))
    await opened(page)
    await page.getByText('a.txt', { exact: true }).waitFor()
    await screenshot(page, `narrow-names-${String(width)}`)
    const shown = await page.locator('.file-name').evaluateAll((all) =>
      all.map((name) => {
        const start = name.querySelector<HTMLElement>('.start')
        const end = name.querySelector('.end')?.getBoundingClientRect()
        const parts = [...name.querySelectorAll('.part')]
        const isVisible = (part: Element) => {
          const { top, bottom } = part.getBoundingClientRect()
          return end !== undefined && top >= end.top - 1 && bottom <= end.bottom + 1
        }
        const fontSize = Number.parseFloat(getComputedStyle(name).fontSize)
        const isCut = start !== null && start.scrollWidth > start.clientWidth
        return {
          name: name.textContent,
          // The width of a wide letter and an ellipsis.
          hasStart: !isCut || start.clientWidth >= 1.9 * fontSize,
          // Letters are left out where the ellipsis is.
          hasGap: parts.every(isVisible) || isCut,
          // A name that has its space has no parts.
          ending: isCut ? parts.findLast(isVisible)?.textContent : /\.\w+$/.exec(name.textContent)?.[0],
          isWithin: end === undefined || end.right <= name.getBoundingClientRect().right + 1,
        }
      }),
    )
    expect(shown).toEqual(
      names.map((name) => ({
        name,
        hasStart: true,
        hasGap: true,
        ending: /\.\w+$/.exec(name)?.[0],
        isWithin: true,
      })),
    )
    const cut = await page.locator('.file-name:has(.end)').allTextContents()
    expect(cut.length > 0).toBe(width < 400)
    expect(pageErrors).toEqual([])
  },
)

test('a name that is wider than its row by a fraction of a pixel keeps its extension', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  const long = names.filter((name) => name.length > 20)
  for (const fileName of long) await sdk.addFile(upload.id, new Blob(['x']), { fileName, uploadToken })
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 1440, height: 900 } })
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  await page.getByText(long[0] ?? '', { exact: true }).waitFor()
  const cut = page.locator('.file-name:has(.end)')
  expect(await cut.count()).toBe(0)
  await page.locator('.file-name').evaluateAll((all) => {
    for (const name of all) {
      const { width } = name.getBoundingClientRect()
      if (name.parentElement)
        name.parentElement.style.cssText = `display: block; width: ${String(width - 0.1)}px`
    }
  })
  await expect.poll(() => cut.count()).toBe(long.length)
  expect(pageErrors).toEqual([])
})
