import type { Client } from '@svc/sdk'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Uploads a file of a name and a size in bytes, as a separate upload.
 * @returns the upload's id
 */
export async function sendFile(sdk: Client, fileName: string, size = 1): Promise<string> {
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  await sdk.addFile(upload.id, new Blob(['x'.repeat(size)]), {
    fileName,
    ...(uploadToken !== undefined && { uploadToken }),
  })
  return upload.id
}

/** The first file of each upload that a list shows. */
export const listed = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Uploads' }).locator('.file-name').allTextContents()

/** Waits for a list to show these uploads and no others, named by their first files. */
export const waitForList = (page: Page, names: readonly string[]): Promise<void> =>
  expect.poll(() => listed(page), { timeout: 90_000 }).toEqual(names)

/** Clicks a button in the dialog of the page. */
export const clickInDialog = (page: Page, button: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: button }).click()

/** The id of an upload in the link of its page. */
export const uploadIdOf = (link: string): string => /[?&]id=([^&#]+)/.exec(link)?.[1] ?? ''
