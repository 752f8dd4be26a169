import { ageScheme, isManifest, type Upload } from '@svc/contract'
import { shallowRef } from 'vue'
import { prepareVerification } from './manifest/use-manifest.ts'
import type EncryptedNotice from './key/EncryptedNotice.vue'

/** The notice about encrypted files, once an upload has them: an asynchronous component would appear a moment after the page. */
/* eslint no-restricted-syntax: "off" -- code that is loaded once, for all applications */
export const encryptedNotice = shallowRef<typeof EncryptedNotice>()

/**
 * Loads what the page says of an encrypted upload above its files: later, it would move a button away from under the pointer.
 * What cannot be loaded is loaded again by the page.
 */
export async function prepareNotices(upload: Upload): Promise<void> {
  if (upload.e2ee !== ageScheme) return
  const notice = async () => {
    encryptedNotice.value ??= (await import('./key/EncryptedNotice.vue')).default
  }
  const hasManifest = upload.files.some((file) => isManifest(upload, file))
  await Promise.allSettled([notice(), hasManifest && prepareVerification()])
}
