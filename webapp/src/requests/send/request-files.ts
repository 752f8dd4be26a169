import type { QueuedFile } from '@svc/sdk'
import type { LoadConfigurationOnce } from '../../api/use-configuration.ts'
import { withPreviews } from '../../previews/with-previews.ts'
import type { SelectedFile } from '../../upload/draft/selected-files.ts'
import { queuedFile } from '../../upload/transfer/queued-file.ts'

/**
 * Files as they are sent to a request, with their previews.
 * @param recipient for whom they are encrypted; empty without encryption
 * @throws as `encryptFiles`
 */
export async function requestFiles(
  files: readonly SelectedFile[],
  recipient: string,
  loadConfigurationOnce: LoadConfigurationOnce,
): Promise<QueuedFile[]> {
  const blobs = new Map(files.map(({ key, blob }) => [key, blob]))
  if (recipient === '')
    return withPreviews(files.map(queuedFile), blobs, { key: undefined, loadConfigurationOnce })
  const { encryptFiles } = await import('./encrypt-files.ts')
  return withPreviews(await encryptFiles(files, recipient), blobs, {
    key: { recipient },
    loadConfigurationOnce,
  })
}
