import { ageScheme, type File, type Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { useI18n } from 'vue-i18n'
import { api } from '../../api/api.ts'
import { useConfirmation } from '../../ui/dialog/use-confirmation.ts'
import { startDownload } from '../../base/start-download.ts'
import { isLimited } from './download-limit.ts'
import { availability } from './file-state.ts'
import { saveProtected, type ProtectedDownload } from './save-protected.ts'
import { usePollingAfterDownload } from './use-polling-after-download.ts'

export interface DownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly refresh: () => Promise<void>
  /** Saves a file of an encrypted upload. */
  readonly saveDecrypted: (file: File) => Promise<void>
  /** Saves all files of an encrypted upload, except one with a download limit. */
  readonly saveAllDecrypted: (files: readonly File[]) => Promise<void>
}

/** Downloads by links. Asks before a one-shot download. */
export function useDownload({ upload, access, refresh, saveDecrypted, saveAllDecrypted }: DownloadContext) {
  const { t } = useI18n()
  const { confirm } = useConfirmation()

  const followUp = usePollingAfterDownload({
    refresh,
    mayChange: () => upload().files.some((file) => availability(file, upload()) === 'ready'),
  })

  const mayConsume = (count: number) =>
    confirm({
      heading: t('oneShot.title'),
      text: t('oneShot.text', { count }, count),
      confirm: t('oneShot.confirm'),
      danger: false,
    })
  /** Ordinary links work without script; others are handled here. */
  const intercept = async (event: Event, download: ProtectedDownload, count: number) => {
    const { oneShot, protectedByPassword } = upload()
    if (!oneShot && !protectedByPassword) {
      // The browser does not report here that the file has disappeared, or that its download was counted.
      if (isLimited(upload())) followUp.start()
      else void refresh()
      return
    }
    event.preventDefault()
    if (oneShot && !(await mayConsume(count))) return
    if (protectedByPassword) await saveProtected(download, access())
    else startDownload(download.url, download.fileName)
    if (isLimited(upload())) followUp.start()
  }
  const decrypt = async (event: Event, file: File) => {
    event.preventDefault()
    const { oneShot } = upload()
    if (oneShot && !(await mayConsume(1))) return
    try {
      await saveDecrypted(file)
    } finally {
      if (isLimited(upload())) followUp.start()
    }
  }
  return {
    fileURL: (file: File) => api.fileURL(upload(), file, 'save'),
    archiveURL: () => api.archiveURL(upload()),
    onFile: (event: Event, file: File) =>
      upload().e2ee === ageScheme
        ? decrypt(event, file)
        : intercept(
            event,
            { url: api.fileURL(upload(), file, 'save'), fileName: file.fileName, size: file.fileSize },
            1,
          ),
    onArchive: async (event: Event, files: readonly File[]) => {
      if (upload().e2ee === ageScheme) {
        event.preventDefault()
        await saveAllDecrypted(files)
        return
      }
      await intercept(
        event,
        {
          url: api.archiveURL(upload()),
          fileName: `${upload().id}.zip`,
          size: files.reduce((sum, { fileSize }) => sum + fileSize, 0),
        },
        files.length,
      )
    },
  }
}
