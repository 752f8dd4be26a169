import { ageScheme, type File, type Upload } from '@svc/contract'
import type { Access, DownloadOptions } from '@svc/sdk'
import { shallowReactive } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '../../api/api.ts'
import { downloadAccess } from '../../api/download-access.ts'
import { useConfirmation } from '../../ui/dialog/use-confirmation.ts'
import { startDownload } from '../../base/start-download.ts'
import { isLimited } from './download-limit.ts'
import { availability } from './file-state.ts'
import type { ProtectedDownload } from './save-protected.ts'
import { usePollingAfterDownload } from './use-polling-after-download.ts'
import type { FolderDownload, usePageDownloads } from './use-page-downloads.ts'

export interface DownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly refresh: () => Promise<void>
  readonly through: Pick<ReturnType<typeof usePageDownloads>, 'save' | 'saveAll' | 'saveFolder' | 'saveOnce'>
}

/**
 * Whether only a link can download a file: it does not fit into the memory of the page, where the browser offers no other
 * way, or its domain does not let the page read it.
 */
function needsLink(error: unknown, url: string): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === 'too_large' || (code === 'network' && new URL(url).origin !== location.origin)
}

/** Downloads by links. Asks before a one-shot download. */
export function useDownload({ upload, access, refresh, through }: DownloadContext) {
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  /** Ids of the files that this page has received completely and that exist only once. */
  const mine = shallowReactive(new Set<string>())

  const followUp = usePollingAfterDownload({
    refresh,
    mayChange: () => upload().files.some((file) => availability(file, upload()) === 'ready'),
  })
  const isOnce = () => upload().oneShot || upload().stream
  /** Whether a download changes the state of the files. */
  const isCounted = () => isOnce() || isLimited(upload())

  const mayConsume = async (count: number) =>
    !upload().oneShot ||
    (await confirm({
      heading: t('oneShot.title'),
      text: t('oneShot.text', { count }, count),
      confirm: t('oneShot.confirm'),
      danger: false,
    }))

  /** Downloads files that exist only once. */
  const saveOnce = async (files: readonly File[], save: () => Promise<boolean>, link: ProtectedDownload) => {
    if (!(await mayConsume(files.length))) return
    try {
      if (!(await save())) return
      for (const { id } of files) mine.add(id)
    } catch (error) {
      if (upload().e2ee !== '' || !needsLink(error, link.url)) throw error
      startDownload(link.url, link.fileName)
    } finally {
      if (isCounted()) {
        await refresh()
        followUp.start()
      }
    }
  }
  /** Asks whether the server refuses a link that the browser follows. Only GET has the reason. */
  const check = async (file: File | 'archive', url: string) => {
    const ask = async (of: DownloadOptions) => {
      const options = { ...downloadAccess(upload(), access()), ...of }
      const response = await (file === 'archive'
        ? api.downloadArchive(upload(), undefined, options)
        : api.download(upload(), file, options))
      await response.body?.cancel()
    }
    try {
      await ask({ method: 'HEAD' }).catch(() => ask({ range: { start: 0, end: 0 } }))
    } catch (error) {
      if (!needsLink(error, url)) throw error
    } finally {
      await refresh()
    }
  }
  const start = async (
    event: Event,
    file: File | 'archive',
    files: readonly File[],
    link: ProtectedDownload,
  ) => {
    const { protectedByPassword, e2ee } = upload()
    const isDecrypted = e2ee === ageScheme
    if (!isDecrypted && !isOnce() && !protectedByPassword) {
      await check(file, link.url)
      if (isCounted()) followUp.start()
      return
    }
    event.preventDefault()
    if (isDecrypted)
      await saveOnce(files, () => (file === 'archive' ? through.saveAll(files) : through.save(file)), link)
    else if (isOnce() && e2ee === '') await saveOnce(files, () => through.saveOnce(file, link.size), link)
    else if (await mayConsume(files.length)) {
      const { saveProtected } = await import('./save-protected.ts')
      await saveProtected(link, access())
      if (isCounted()) followUp.start()
    }
  }
  const fileURL = (file: File) => api.fileURL(upload(), file, 'save')
  return {
    mine,
    fileURL,
    archiveURL: () => api.archiveURL(upload()),
    onFile: (event: Event, file: File) =>
      start(event, file, [file], {
        url: fileURL(file),
        fileName: file.fileName,
        size: file.fileSize,
      }),
    /** The server's archive has all files, so the page makes that of a folder. Where it cannot, the browser follows all links. */
    onFolder: async (folder: FolderDownload) => {
      try {
        await through.saveFolder(folder)
      } catch (error) {
        const [first] = folder.files
        if (upload().e2ee !== '' || !first || !needsLink(error, fileURL(first))) throw error
        for (const file of folder.files) startDownload(fileURL(file), file.fileName)
      }
    },
    onArchive: (event: Event, files: readonly File[]) =>
      start(event, 'archive', files, {
        url: api.archiveURL(upload()),
        fileName: `${upload().id}.zip`,
        size: files.reduce((sum, { fileSize }) => sum + fileSize, 0),
      }),
  }
}
