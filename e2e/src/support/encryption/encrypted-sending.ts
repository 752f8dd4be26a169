import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { choose, flip, openOptions, type PickedFile } from '../page-actions.ts'

/** A text file to choose. */
export const textFile = (name: string, content = `content of ${name}`): PickedFile => ({
  name,
  bytes: Buffer.from(content),
})

/** Chooses files on the upload page, and turns end-to-end encryption on. */
export async function chooseEncrypted(
  page: Page,
  address: string,
  picked: readonly PickedFile[],
): Promise<void> {
  await choose(page, address, picked)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await expect.poll(() => page.getByLabel('Passphrase', { exact: true }).inputValue()).not.toBe('')
}

/** The page of an encrypted upload with a manifest, with its passphrase. */
export const markedLink = /#\/\?id=\w+&manifest=1#key=[\w-]+$/

/** Refuses the manifests that a page sends. @returns accepts them again */
export async function refuseManifest(page: Page): Promise<() => Promise<void>> {
  const ofManifest = /\/file\/\w+\/\w+\/\.svc-manifest\.age$/
  await page.route(ofManifest, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { code: 'quota_exceeded', message: 'the quota is used up' } })
      : route.fallback(),
  )
  return () => page.unroute(ofManifest)
}
