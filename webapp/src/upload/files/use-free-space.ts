import { computed, onScopeDispose, readonly, shallowRef, watch, type ShallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '../../api/api.ts'
import { useFormat } from '../../i18n/use-format.ts'

/** Bytes of an account. */
export interface FreeSpace {
  readonly free: number
  readonly quota: number
}

/**
 * The free space in the account of the user; undefined without a quota, and until the server has responded. The server checks it again.
 * @param isNeeded whether there is something to upload
 * @param quota bytes; negative without one
 */
export function useFreeSpace(isNeeded: () => boolean, quota: () => number) {
  const space: ShallowRef<FreeSpace | undefined> = shallowRef()
  let latest = 0
  /** Asks the server again. */
  async function refresh(): Promise<void> {
    const current = (latest += 1)
    const bytes = isNeeded() ? quota() : -1
    const used =
      bytes < 0
        ? undefined
        : await api.myStats().then(
            ({ totalSize }) => totalSize,
            () => undefined,
          )
    if (current !== latest) return
    space.value = used === undefined ? undefined : { free: Math.max(0, bytes - used), quota: bytes }
  }
  watch([isNeeded, quota], () => void refresh(), { immediate: true })
  onScopeDispose(() => {
    latest += 1
  })
  return { space: readonly(space), refresh }
}

/** Free space in words: “3 kB of 4 kB free”. */
export function useFreeSpaceText(space: () => FreeSpace | undefined) {
  const { t } = useI18n()
  const format = useFormat()
  return computed(() => {
    const { free, quota } = space() ?? {}
    if (free === undefined || quota === undefined) return undefined
    return t('bar.free', { free: format.size(free), quota: format.size(quota) })
  })
}
