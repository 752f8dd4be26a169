import type { Page } from 'playwright-core'
import { closeWhileSending, sendButton, shareLink } from './page-actions.ts'
import type { ConnectionProxy } from './services/connection-proxy.ts'

/**
 * Starts the upload, and closes the page in the middle of it.
 * @param bytes that pass the proxy before
 * @returns link of the upload
 */
export async function interruptUpload(page: Page, proxy: ConnectionProxy, bytes: number): Promise<string> {
  const stalled = proxy.stall(bytes)
  await sendButton(page).click()
  await stalled
  const link = await shareLink(page)
  await closeWhileSending(page)
  proxy.cut()
  proxy.restore()
  return link
}
