import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { computed, onScopeDispose, shallowReactive } from 'vue'
import type { SaveDecryptedOptions } from '../../decrypted/save-decrypted.ts'
import { useLeaveWarning } from '../../ui/dialog/use-leave-warning.ts'
import type { UploadKey } from '../key/use-upload-key.ts'

/** Progress of a decrypted download. */
export interface Decrypting {
  readonly kind: 'running' | 'saved'
  /** Bytes of the content. */
  readonly done: number
  /** Undefined while unknown. */
  readonly total: number | undefined
  readonly cancel: () => void
}

export interface DecryptedContext {
  readonly upload: () => Upload
  readonly access: () => Access
  readonly key: UploadKey
}

/** Whether an error only means that the user cancelled. */
const isGivenUp = (error: unknown) =>
  error instanceof Error && (error.name === 'AbortError' || Reflect.get(error, 'code') === 'given_up')

/** The id of the zip of all files. */
export const allFiles = ''

/** Downloads that this page decrypts, by file id. */
export function useDecryptedDownloads({ upload, access, key }: DecryptedContext) {
  const all = shallowReactive(new Map<string, Decrypting>())
  const isBusy = computed(() => [...all.values()].some(({ kind }) => kind === 'running'))
  useLeaveWarning(() => isBusy.value, 'decrypting')

  const run = async (id: string, start: (options: SaveDecryptedOptions) => Promise<void>): Promise<void> => {
    if (all.get(id)?.kind === 'running') return
    const stop = new AbortController()
    const cancel = () => stop.abort()
    const show = (kind: Decrypting['kind'], done: number, total: number | undefined) => {
      all.set(id, { kind, done, total, cancel })
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
    } catch (error) {
      all.delete(id)
      if (!isGivenUp(error)) throw error
    }
  }
  const save = (file: File): Promise<void> =>
    run(file.id, async (options) => {
      const { saveDecrypted } = await import('../../decrypted/save-decrypted.ts')
      await saveDecrypted({ upload: upload(), file, access: access() }, options)
    })
  const saveAll = (files: readonly File[]): Promise<void> =>
    run(allFiles, async (options) => {
      const { saveArchive } = await import('../../decrypted/save-archive.ts')
      const { id, createdAt } = upload()
      await saveArchive(
        { upload: upload(), access: access(), files, name: id, modified: new Date(createdAt) },
        options,
      )
    })
  onScopeDispose(() => {
    for (const { cancel } of all.values()) cancel()
  })
  return { all, isBusy, save, saveAll }
}
