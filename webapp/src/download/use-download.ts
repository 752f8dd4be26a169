import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { useI18n } from 'vue-i18n'
import { client } from '../app/client.ts'
import { useConfirmation } from '../ui/use-confirmation.ts'
import { saveProtected, type ProtectedDownload } from './save-protected.ts'

export interface DownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly refresh: () => Promise<void>
}

/** ms after which a one-shot upload is looked at again: by then the server knows of the download. */
const settleTime = 1500

/** Downloads by links; asks first where a download uses the file up. */
export function useDownload({ upload, access, refresh }: DownloadContext) {
  const { t } = useI18n()
  const { confirm } = useConfirmation()

  const mayConsume = (count: number) =>
    confirm({
      heading: t('oneShot.title'),
      text: t('oneShot.text', { count }, count),
      confirm: t('oneShot.confirm'),
      danger: false,
    })
  /** A link that is followed by itself needs no help from here; others are taken out of the browser's hands. */
  const intercept = async (event: Event, download: ProtectedDownload, count: number) => {
    const { oneShot, protectedByPassword } = upload()
    if (!oneShot && !protectedByPassword) return
    event.preventDefault()
    if (oneShot && !(await mayConsume(count))) return
    if (protectedByPassword) await saveProtected(download, access())
    else location.assign(download.url)
    if (oneShot) setTimeout(() => void refresh(), settleTime)
  }
  return {
    fileURL: (file: File) => client.fileURL(upload(), file, 'save'),
    archiveURL: () => client.archiveURL(upload()),
    onFile: (event: Event, file: File) =>
      intercept(
        event,
        { url: client.fileURL(upload(), file, 'save'), fileName: file.fileName, size: file.fileSize },
        1,
      ),
    onArchive: (event: Event, files: readonly File[]) =>
      intercept(
        event,
        {
          url: client.archiveURL(upload()),
          fileName: `${upload().id}.zip`,
          size: files.reduce((sum, { fileSize }) => sum + fileSize, 0),
        },
        files.length,
      ),
  }
}
