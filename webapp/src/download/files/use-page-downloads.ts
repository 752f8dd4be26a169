import { lastSegment, type File, type Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import type { ArchivedFiles } from '../../saving/save-archive.ts'
import type { KeyPrompt } from '../../saving/start-download.ts'
import type { ContentOf } from '../../manifest/expected-content.ts'
import type { UploadKey } from '../key/use-upload-key.ts'
import { useDownloadRuns } from './use-download-runs.ts'

export interface PageDownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly key: UploadKey
  readonly contentOf: ContentOf
}

/** The id of the zip of all files. The id of that of a folder is its path. */
export const allFiles = ''

/** A folder to download as a zip. */
export interface FolderDownload {
  /** All folders on the way, each with its slash. */
  readonly path: string
  /** The path of the folder around it. */
  readonly parent: string
  readonly files: readonly File[]
}

/** Downloads that this page decrypts, or that it must see succeed because they exist only once; by file id. */
export function usePageDownloads({ upload, access, key, contentOf }: PageDownloadContext) {
  const isEncrypted = () => upload().e2ee !== ''
  const { all, isBusy, run } = useDownloadRuns(isEncrypted)
  const askedKey: KeyPrompt = async (refused) =>
    refused ? key.ask('refused') : (key.key.value ?? key.ask('missing'))
  const encryption = { key: askedKey, contentOf }
  const context = () => ({ upload: upload(), access: access() })
  /** The ways to save load on use. */
  const load = () => import('./page-saves.ts')
  const save = (file: File): Promise<boolean> =>
    run(file.id, async (options) => (await load()).saveFile(context(), file, { ...options, ...encryption }))
  const saveZip = (id: string, zip: Pick<ArchivedFiles, 'files' | 'name' | 'root'>): Promise<boolean> =>
    run(id, async (options) => (await load()).saveZip(context(), zip, { ...options, ...encryption }))
  const saveAll = (files: readonly File[]) => saveZip(allFiles, { files, name: upload().id })
  const saveFolder = ({ path, parent, files }: FolderDownload) =>
    saveZip(path, { files, name: lastSegment(path.slice(0, -1)), root: parent })
  /** @param size bytes; 0 when unknown */
  const saveOnce = (file: File | 'archive', size: number): Promise<boolean> =>
    run(file === 'archive' ? allFiles : file.id, async (options) =>
      (await load()).saveOnce(context(), file, size, options),
    )
  return { all, isBusy, save, saveAll, saveFolder, saveOnce }
}
