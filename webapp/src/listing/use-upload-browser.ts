import type { Page, Upload } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { computed, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { useFormat } from '../i18n/use-format.ts'
import { useRoute, useRouter } from 'vue-router'
import { api } from '../api/api.ts'
import { useRemovals } from '../sent/store/removals.ts'
import { useAnnouncer } from '../base/use-announcer.ts'
import { useConfirmation } from '../ui/dialog/use-confirmation.ts'
import type { Listing } from './listing.ts'
import { removeUploads } from './remove-uploads.ts'
import { createSelection } from './selection.ts'
import {
  firstPage,
  readUploadView,
  uploadRouteQuery,
  uploadListQuery,
  type UploadListQuery,
  type UploadView,
} from './upload-query.ts'

export type UploadListing = Listing<UploadListQuery, Upload>

/**
 * A list of uploads that follows the page's address, and the actions on its rows.
 * @param token shows only uploads that were sent with it
 */
export function useUploadBrowser({ state, show }: UploadListing, token: () => string | undefined) {
  const { t } = useI18n()
  const format = useFormat()
  const route = useRoute()
  const router = useRouter()
  const { announce } = useAnnouncer()
  const { confirm } = useConfirmation()
  const { announceRemoval, onRemoval } = useRemovals()
  const { path } = route

  const view = computed(() => readUploadView(route.query))
  const page = computed<Page<Upload> | undefined>(() =>
    state.value.kind === 'ready' ? state.value.page : undefined,
  )
  const selection = createSelection(() => page.value?.results.map(({ id }) => id) ?? [])
  const removing = shallowRef(false)
  const failure = shallowRef<unknown>()

  const go = (next: UploadView) => router.push({ path, query: uploadRouteQuery(next) })
  const replace = (next: UploadView) => router.replace({ path, query: uploadRouteQuery(next) })

  const reload = async () => {
    await show(uploadListQuery(view.value, token()))
    // The user may have left meanwhile.
    if (route.path !== path) return
    if (state.value.kind === 'failed') {
      const { error } = state.value
      // An old cursor is invalid: the list starts at its first page.
      const isCursorInvalid = error instanceof ApiError && error.code === 'invalid_cursor'
      if (isCursorInvalid && (view.value.before ?? view.value.after) !== undefined)
        await replace(firstPage(view.value))
      return
    }
    // The page is empty after a removal: the page before it is shown.
    const { before = null, results } = page.value ?? { results: [] }
    if (results.length === 0 && before !== null) await replace({ ...firstPage(view.value), before })
  }
  watch(
    () => [route.path, uploadRouteQuery(view.value), token()] as const,
    ([now], before) => {
      // A page that is being left already has the address of the next one.
      if (now !== path) return
      if (before) selection.clear()
      failure.value = undefined
      void reload()
    },
    { immediate: true },
  )

  // Another tab has deleted uploads.
  onRemoval(() => {
    if (!removing.value) void reload()
  })

  const remove = async (ids: readonly string[]) => {
    const yes = await confirm({
      heading: t('listing.removeTitle', { count: format.number(ids.length) }, ids.length),
      text: t('listing.removeText', { count: format.number(ids.length) }, ids.length),
      confirm: t('remove.confirm'),
      danger: true,
    })
    if (!yes) return
    removing.value = true
    failure.value = undefined
    const { removed, error } = await removeUploads(ids, api.removeUpload)
    failure.value = error
    const { length: count } = removed
    if (count > 0) announce(t('listing.removed', { count }, count))
    announceRemoval({ ids: removed })
    for (const id of ids) selection.set(id, false)
    await reload()
    removing.value = false
  }
  return { view, page, selection, removing, failure, go, reload, remove }
}
