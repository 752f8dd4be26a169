import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import type { KeyPrompt } from '../../decrypted/unlock-download.ts'
import type { UploadKey } from '../key/use-upload-key.ts'
import { useDownloadRuns } from './use-download-runs.ts'

export interface PageDownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly key: UploadKey
}

/** The id of the zip of all files. */
export const allFiles = ''

/** Downloads that this page decrypts, or that it must see succeed because they exist only once; by file id. */
export function usePageDownloads({ upload, access, key }: PageDownloadContext) {
  const isEncrypted = () => upload().e2ee !== ''
  const { all, isBusy, run } = useDownloadRuns(isEncrypted)
  const askedKey: KeyPrompt = async (refused) =>
    refused ? key.ask('refused') : (key.key.value ?? key.ask('missing'))
  const save = (file: File): Promise<boolean> =>
    run(file.id, async (options) => {
      const { saveDecrypted } = await import('../../decrypted/save-decrypted.ts')
      await saveDecrypted({ upload: upload(), file, access: access() }, { ...options, key: askedKey })
    })
  const saveAll = (files: readonly File[]): Promise<boolean> =>
    run(allFiles, async (options) => {
      const { saveArchive } = await import('../../decrypted/save-archive.ts')
      const { id, createdAt } = upload()
      await saveArchive(
        { upload: upload(), access: access(), files, name: id, modified: new Date(createdAt) },
        { ...options, key: askedKey },
      )
    })
  /** @param size bytes; 0 when unknown */
  const saveOnce = (file: File | 'archive', size: number): Promise<boolean> =>
    run(file === 'archive' ? allFiles : file.id, async ({ onProgress, signal }) => {
      const { saveStored } = await import('../../decrypted/save-stored.ts')
      await saveStored({ upload: upload(), file, size, access: access() }, { onProgress, signal })
    })
  return { all, isBusy, save, saveAll, saveOnce }
}
