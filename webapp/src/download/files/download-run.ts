import { ageScheme, type File, type Upload } from '@svc/contract'
import type { Access, DownloadOptions } from '@svc/sdk'
import { onScopeDispose, type EffectScope } from 'vue'
import { api } from '../../api/api.ts'
import { downloadAccess } from '../../api/download-access.ts'
import { availability } from '../../base/file-state.ts'
import { startDownload } from '../../base/browser/start-download.ts'
import { followUpload } from '../../changes/follow-upload.ts'
import { isLimited } from './download-limit.ts'
import type { ProtectedDownload } from './save-protected.ts'
import type { FolderDownload, usePageDownloads } from './use-page-downloads.ts'

export interface DownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly refresh: () => Promise<void>
  readonly through: Pick<ReturnType<typeof usePageDownloads>, 'save' | 'saveAll' | 'saveFolder' | 'saveOnce'>
}

/** A download that a click has started. It is loaded with the first one. */
export interface DownloadRun extends DownloadContext {
  /** Gets the ids of the files that this page has received completely and that exist only once. */
  readonly mine: { readonly add: (id: string) => unknown }
  /** Asks before files are downloaded that are gone then. */
  readonly confirmOnce: (count: number) => Promise<boolean>
  /** The scope of the page, which downloads may outlive. */
  readonly scope: EffectScope | undefined
  /** Set once the page follows the upload, which a download changes. */
  endFollowing?: () => void
}

/** ms from a download to the first request for its upload, where no events come; the delay doubles. */
const firstDelay = 1500
const lastDelay = 200_000

/** Follows an upload that a download changes: the page does not see when a download by the browser ends. */
function followUp(run: DownloadRun): void {
  const { upload, refresh, scope } = run
  const { id: uploadID, protectedByPassword } = upload()
  run.endFollowing?.()
  if (!scope?.active) return
  const end = followUpload({
    uploadID,
    refresh: async () => {
      await refresh()
      if (!upload().files.some((file) => availability(file, upload()) === 'ready')) end()
    },
    delay: (refreshes) => {
      const delay = firstDelay * 2 ** refreshes
      return delay < lastDelay ? delay : undefined
    },
    hasEvents: !protectedByPassword,
    isFollowed: true,
  })
  run.endFollowing = end
  scope.run(() => {
    onScopeDispose(end)
  })
}

const isOnce = ({ oneShot, stream }: Upload) => oneShot || stream
/** Whether a download changes the state of the files. */
const isCounted = (upload: Upload) => isOnce(upload) || isLimited(upload)

/**
 * Whether only a link can download a file: it does not fit into the memory of the page, where the browser offers no other
 * way, or its domain does not let the page read it.
 */
function needsLink(error: unknown, url: string): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === 'too_large' || (code === 'network' && new URL(url).origin !== location.origin)
}

const mayConsume = async ({ upload, confirmOnce }: DownloadRun, count: number) =>
  !upload().oneShot || (await confirmOnce(count))

/** Downloads files that exist only once. */
async function saveOnce(
  run: DownloadRun,
  files: readonly File[],
  save: () => Promise<boolean>,
  link: ProtectedDownload,
): Promise<void> {
  const { upload, mine, refresh } = run
  if (!(await mayConsume(run, files.length))) return
  try {
    if (!(await save())) return
    for (const { id } of files) mine.add(id)
  } catch (error) {
    if (upload().e2ee !== '' || !needsLink(error, link.url)) throw error
    startDownload(link.url, link.fileName)
  } finally {
    if (isCounted(upload())) {
      await refresh()
      followUp(run)
    }
  }
}

/** Asks whether the server refuses a link that the browser follows. Only GET has the reason. */
async function check(
  { upload, access, refresh }: DownloadRun,
  file: File | 'archive',
  url: string,
): Promise<void> {
  const ask = async (probe: DownloadOptions) => {
    const options = { ...downloadAccess(upload(), access()), ...probe }
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

/** Follows up a download by a link, which the browser has started. */
export async function followLink(run: DownloadRun, file: File | 'archive', url: string): Promise<void> {
  await check(run, file, url)
  if (isCounted(run.upload())) followUp(run)
}

/** Downloads through the page what is decrypted, exists only once or needs a password. */
export async function saveThroughPage(
  run: DownloadRun,
  file: File | 'archive',
  files: readonly File[],
  link: ProtectedDownload,
): Promise<void> {
  const { upload, access, through } = run
  const { e2ee } = upload()
  if (e2ee === ageScheme)
    await saveOnce(run, files, () => (file === 'archive' ? through.saveAll(files) : through.save(file)), link)
  else if (isOnce(upload()) && e2ee === '')
    await saveOnce(run, files, () => through.saveOnce(file, link.size), link)
  else if (await mayConsume(run, files.length)) {
    const { saveProtected } = await import('./save-protected.ts')
    await saveProtected(link, access())
    if (isCounted(upload())) followUp(run)
  }
}

/** The server's archive has all files, so the page makes that of a folder. Where it cannot, the browser follows all links. */
export async function saveFolder({ upload, through }: DownloadRun, folder: FolderDownload): Promise<void> {
  const urlOf = (file: File) => api.fileURL(upload(), file, 'save')
  try {
    await through.saveFolder(folder)
  } catch (error) {
    const [first] = folder.files
    if (upload().e2ee !== '' || !first || !needsLink(error, urlOf(first))) throw error
    for (const file of folder.files) startDownload(urlOf(file), file.fileName)
  }
}
