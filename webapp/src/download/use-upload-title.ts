import type { File, Upload } from '@svc/contract'
import { computed, type ComputedRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { useFormat } from '../i18n/use-format.ts'
import { isGoneUpload, uploadEnd } from '../base/upload-end.ts'
import type { ShownEnd } from './notices/shown-end.ts'

const endTitles = {
  mine: 'have.title',
  taken: 'have.takenTitle',
  usedUp: 'download.usedUp',
  deleted: 'download.allGone',
} as const satisfies Record<ShownEnd, string>

interface ShownUpload {
  readonly upload: () => Upload
  /** The newest version of each file. */
  readonly current: () => readonly File[]
  /** Whether the visitor has downloaded a one-shot file. */
  readonly isMine: (file: File) => boolean
}

/** The heading of an upload's page, and how the upload has ended: undefined while it has files. */
export function useUploadTitle({ upload, current, isMine }: ShownUpload): {
  readonly end: ComputedRef<ShownEnd | undefined>
  readonly title: ComputedRef<string>
} {
  const { t } = useI18n()
  const format = useFormat()
  const end = computed(() => {
    if (!isGoneUpload(upload())) return undefined
    const isAllMine = current().length > 0 && current().every(isMine)
    return isAllMine ? 'mine' : uploadEnd(upload(), current())
  })
  const title = computed(() => {
    if (upload().files.length === 0) return t('download.empty')
    const count = current().length
    if (end.value !== undefined) return t(endTitles[end.value], count)
    return t(upload().admin ? 'folder.files' : 'download.title', { count: format.number(count) }, count)
  })
  return { end, title }
}
