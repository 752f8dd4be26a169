import { computed, onScopeDispose, shallowReactive } from 'vue'
import type { SaveDecryptedOptions } from '../../saving/save-decrypted.ts'
import { useLeaveWarning } from '../../ui/dialog/use-leave-warning.ts'

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

/** Whether an error only means that the user cancelled. */
const isGivenUp = (error: unknown) =>
  error instanceof Error && (error.name === 'AbortError' || Reflect.get(error, 'code') === 'given_up')

/** Downloads whose bytes pass through this page, by id. */
export function useDownloadRuns(isEncrypted: () => boolean) {
  const all = shallowReactive(new Map<string, PageDownload>())
  const isBusy = computed(() => [...all.values()].some(({ kind }) => kind === 'running'))
  useLeaveWarning(() => isBusy.value && isEncrypted(), 'decrypting')
  useLeaveWarning(() => isBusy.value && !isEncrypted(), 'downloading')

  /** @returns whether the file is saved; false when the user cancels */
  const run = async (
    id: string,
    start: (options: Omit<SaveDecryptedOptions, 'key' | 'contentOf'>) => Promise<void>,
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
  onScopeDispose(() => {
    for (const { cancel } of all.values()) cancel()
  })
  return { all, isBusy, run }
}
