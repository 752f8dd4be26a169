import { ageScheme, isManifest, type Upload } from '@svc/contract'
import { availability } from '../../base/file-state.ts'
import { preparedComponent } from '../../base/prepared-component.ts'
import { isLimited } from '../files/download-limit.ts'
import { prepareVerification } from '../manifest/use-manifest.ts'

const loaders = () => import('./load-upload-notices.ts')
export const uploadNotices = preparedComponent(async () => (await loaders()).loadUploadNotices())
export const encryptedNotice = preparedComponent(async () => (await loaders()).loadEncryptedNotice())

/** Whether the page says more about an upload than when it expires. */
export const hasNotices = (upload: Upload): boolean =>
  isLimited(upload) ||
  upload.stream ||
  !['', ageScheme].includes(upload.e2ee) ||
  upload.files.some((file) => availability(file, upload) !== 'ready')

/**
 * Loads what the page says of an upload above its files: later, it would move a button away from under the pointer.
 * What cannot be loaded is loaded again by the page.
 */
export async function prepareNotices(upload: Upload): Promise<void> {
  const isEncrypted = upload.e2ee === ageScheme
  const hasManifest = isEncrypted && upload.files.some((file) => isManifest(upload, file))
  await Promise.allSettled([
    hasNotices(upload) && uploadNotices.prepare(),
    isEncrypted && encryptedNotice.prepare(),
    hasManifest && prepareVerification(),
  ])
}
