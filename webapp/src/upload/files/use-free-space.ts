import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'
import { api } from '../../api/api.ts'

/**
 * Bytes that are free in the account of the user, once there are files to upload; undefined without a quota, and until the server
 * has responded. The server checks it again.
 * @param quota bytes; negative without one
 */
export function useFreeSpace(
  hasFiles: () => boolean,
  quota: () => number,
): Readonly<ShallowRef<number | undefined>> {
  const free = shallowRef<number>()
  let latest = 0
  const ask = async (most: number) => {
    const current = (latest += 1)
    const used = await api.myStats().then(
      ({ totalSize }) => totalSize,
      () => undefined,
    )
    if (current === latest) free.value = used === undefined ? undefined : Math.max(0, most - used)
  }
  watch(
    () => (hasFiles() ? quota() : -1),
    (most) => {
      if (most >= 0) void ask(most)
      else free.value = undefined
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    latest += 1
  })
  return free
}
