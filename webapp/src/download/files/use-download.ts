import { ageScheme, type File } from '@svc/contract'
import { getCurrentScope, shallowReactive } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '../../api/api.ts'
import { useConfirmation } from '../../ui/dialog/use-confirmation.ts'
import type { DownloadContext, DownloadRun } from './download-run.ts'
import type { ProtectedDownload } from './save-protected.ts'
import type { FolderDownload } from './use-page-downloads.ts'

/** Downloads by links. Asks before a one-shot download. */
export function useDownload(context: DownloadContext) {
  const { upload } = context
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  /** Ids of the files that this page has received completely and that exist only once. */
  const mine = shallowReactive(new Set<string>())

  const confirmOnce = async (count: number) => {
    const { loadReceivingMessages } = await import('../../i18n/receiving-messages.ts')
    await loadReceivingMessages()
    return confirm({
      heading: t('receiving.onceTitle'),
      text: t('receiving.onceText', { count }, count),
      confirm: t('receiving.onceConfirm'),
      danger: false,
    })
  }
  const run: DownloadRun = { ...context, mine, confirmOnce, scope: getCurrentScope() }
  const load = () => import('./download-run.ts')

  const start = async (
    event: Event,
    file: File | 'archive',
    files: readonly File[],
    link: ProtectedDownload,
  ) => {
    const { protectedByPassword, e2ee, oneShot, stream } = upload()
    if (e2ee !== ageScheme && !oneShot && !stream && !protectedByPassword)
      return (await load()).followLink(run, file, link.url)
    event.preventDefault()
    return (await load()).saveThroughPage(run, file, files, link)
  }
  const fileURL = (file: File) => api.fileURL(upload(), file, 'save')
  return {
    mine,
    fileURL,
    archiveURL: () => api.archiveURL(upload()),
    onFile: (event: Event, file: File) =>
      start(event, file, [file], { url: fileURL(file), fileName: file.fileName, size: file.fileSize }),
    onFolder: async (folder: FolderDownload) => (await load()).saveFolder(run, folder),
    onArchive: (event: Event, files: readonly File[]) =>
      start(event, 'archive', files, {
        url: api.archiveURL(upload()),
        fileName: `${upload().id}.zip`,
        size: files.reduce((sum, { fileSize }) => sum + fileSize, 0),
      }),
  }
}
