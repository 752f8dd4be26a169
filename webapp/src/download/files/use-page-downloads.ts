import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { computed, onScopeDispose, shallowReactive } from 'vue'
import type { SaveDecryptedOptions } from '../../decrypted/save-decrypted.ts'
import { useLeaveWarning } from '../../ui/dialog/use-leave-warning.ts'
import type { UploadKey } from '../key/use-upload-key.ts'

/** Progress of a download whose bytes pass through this page. */
export interface PageDownload {
  /** Whether the page decrypts them. */
  readonly encrypted: boolean
  readonly kind: 'running' | 'saved'
  /** Bytes. */
  readonly done: number
  /** Undefined while unknown. */
  readonly total: number | undefined
  readonly cancel: () => void
}

export interface PageDownloadContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly key: UploadKey
}

/** Whether an error only means that the user cancelled. */
const isGivenUp = (error: unknown) =>
  error instanceof Error && (error.name === 'AbortError' || Reflect.get(error, 'code') === 'given_up')

/** The id of the zip of all files. */
export const allFiles = ''

/** Downloads that this page decrypts, or that it must see succeed because they exist only once; by file id. */
export function usePageDownloads({ upload, access, key }: PageDownloadContext) {
  const all = shallowReactive(new Map<string, PageDownload>())
  const isBusy = computed(() => [...all.values()].some(({ kind }) => kind === 'running'))
  const isEncrypted = () => upload().e2ee !== ''
  useLeaveWarning(() => isBusy.value && isEncrypted(), 'decrypting')
  useLeaveWarning(() => isBusy.value && !isEncrypted(), 'downloading')

  /** @returns whether the file is saved; false when the user cancels */
  const run = async (
    id: string,
    start: (options: SaveDecryptedOptions) => Promise<void>,
  ): Promise<boolean> => {
    if (all.get(id)?.kind === 'running') return false
    const stop = new AbortController()
    const cancel = () => stop.abort()
    const show = (kind: PageDownload['kind'], done: number, total: number | undefined) => {
      all.set(id, { encrypted: isEncrypted(), kind, done, total, cancel })
    }
    show('running', 0, undefined)
    try {
      await start({
        key: async (refused) => (refused ? key.ask('refused') : (key.key.value ?? key.ask('missing'))),
        onProgress: (done, total) => {
          if (!stop.signal.aborted) show('running', done, total)
        },
        signal: stop.signal,
      })
      const { done = 0, total } = all.get(id) ?? {}
      show('saved', done, total)
      return true
    } catch (error) {
      all.delete(id)
      if (!isGivenUp(error)) throw error
      return false
    }
  }
  const save = (file: File): Promise<boolean> =>
    run(file.id, async (options) => {
      const { saveDecrypted } = await import('../../decrypted/save-decrypted.ts')
      await saveDecrypted({ upload: upload(), file, access: access() }, options)
    })
  const saveAll = (files: readonly File[]): Promise<boolean> =>
    run(allFiles, async (options) => {
      const { saveArchive } = await import('../../decrypted/save-archive.ts')
      const { id, createdAt } = upload()
      await saveArchive(
        { upload: upload(), access: access(), files, name: id, modified: new Date(createdAt) },
        options,
      )
    })
  /** @param size bytes; 0 when unknown */
  const saveOnce = (file: File | 'archive', size: number): Promise<boolean> =>
    run(file === 'archive' ? allFiles : file.id, async ({ onProgress, signal }) => {
      const { saveStored } = await import('../../decrypted/save-stored.ts')
      await saveStored({ upload: upload(), file, size, access: access() }, { onProgress, signal })
    })
  onScopeDispose(() => {
    for (const { cancel } of all.values()) cancel()
  })
  return { all, isBusy, save, saveAll, saveOnce }
}
