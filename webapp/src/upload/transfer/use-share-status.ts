import type { Upload } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '../../api/api.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { withoutManifest } from '../../encryption/without-manifest.ts'
import { statusOf } from '../../sent/sent-status.ts'

/** Polling interval without events, in ms. */
const interval = 30_000

/**
 * What has become of a sent upload whose downloads count, while its sender has its page open.
 * @param isSending whether files are still being sent
 */
export function useShareStatus(upload: Upload, isSending: () => boolean) {
  const { t } = useI18n()
  const format = useFormat()
  /** As the server describes it: `gone` if it no longer has it, undefined before the first response. */
  const now = shallowRef<Upload | 'gone'>()
  let stop: (() => void) | undefined
  let isFollowing = false
  let isDisposed = false

  const refresh = async () => {
    try {
      now.value = await api.upload(upload.id, { uploadToken: upload.uploadToken })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'upload_not_found') now.value = 'gone'
    }
  }
  const isOver = computed(() => end.value !== undefined)
  /** How the upload has ended; undefined while it can be downloaded. */
  const end = computed(() => {
    if (now.value === undefined) return undefined
    if (now.value === 'gone') return t('error.gone')
    const { kind } = statusOf(now.value)
    if (kind === 'usedUp') return t('download.usedUp')
    return kind === 'taken' || kind === 'deleted' ? t(`sentStatus.${kind}`) : undefined
  })
  /** What is left, once something has been downloaded. */
  const left = computed(() => {
    if (now.value === undefined || now.value === 'gone' || isOver.value) return undefined
    const files = withoutManifest(now.value)
    const count = files.length * (upload.maxDownloads ?? 1)
    const downloads = files.reduce((sum, { downloadsLeft = 0 }) => sum + downloadsLeft, 0)
    if (downloads >= count) return undefined
    return upload.oneShot
      ? t('sentStatus.partly', { left: format.number(downloads), count: format.number(count) })
      : t('download.downloadsLeft', { left: format.number(downloads), count: format.number(count) })
  })

  const follow = async () => {
    const { followUpload } = await import('../../changes/follow-upload.ts')
    if (isDisposed) return
    stop = followUpload({
      uploadID: upload.id,
      refresh,
      delay: () => (isOver.value ? undefined : interval),
      hasEvents: !upload.protectedByPassword,
    })
  }
  const isCounted = upload.maxDownloads !== undefined && !upload.stream && upload.request === undefined
  watch(
    isSending,
    (sending) => {
      if (sending || !isCounted || isFollowing) return
      isFollowing = true
      // Without these parts of the page, its words stay those of the end of the upload.
      follow().catch(() => undefined)
    },
    { immediate: true },
  )
  watch(isOver, (over) => {
    if (over) stop?.()
  })
  onScopeDispose(() => {
    isDisposed = true
    stop?.()
  })
  return { end, left }
}
