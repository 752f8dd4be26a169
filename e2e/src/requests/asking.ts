import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { visit } from '../support/browser.ts'
import { pick, sendButton } from '../support/page-actions.ts'

export const phone = { viewport: { width: 390, height: 780 } }
export const picked = ['report.pdf', 'trip/photo.jpg'].map((name) => ({ name, bytes: Buffer.from(name) }))
export const received = (page: Page) => page.getByTestId('received')

/** Makes a request in the form. Returns the link for its senders. */
export async function ask(page: Page, server: string, { encrypt = true } = {}): Promise<string> {
  await page.goto(`${server}/#/requests`)
  const title = page.getByRole('textbox', { name: 'What do you need?' })
  const another = page.getByRole('button', { name: 'New request' })
  await title.or(another).first().waitFor()
  if (await another.isVisible()) await another.click()
  await title.fill('Photos of the party')
  await page.getByRole('textbox', { name: /^Message/ }).fill('All of them, **please**')
  if (!encrypt) {
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('switch', { name: 'End-to-end encryption' }).click()
  }
  await page.getByRole('button', { name: 'Create link' }).click()
  return page.getByRole('textbox', { name: 'Link for senders' }).inputValue()
}

/** Sends files as a stranger with a phone. */
export async function sendAs(
  browser: Browser,
  name: string,
  link: string,
  files: readonly { readonly name: string; readonly bytes: Buffer }[] = picked,
): Promise<Page> {
  const { page, pageErrors } = await visit(browser, link, phone)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await page.getByRole('textbox', { name: /^Your name/ }).fill(name)
  await pick(page, files)
  const top = async (selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN
  expect(await top('.about')).toBeLessThan(await top('.list-box'))
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'Thank you, your files have arrived' }).waitFor()
  await page.getByRole('button', { name: 'Save receipt' }).waitFor()
  expect(pageErrors).toEqual([])
  return page
}
