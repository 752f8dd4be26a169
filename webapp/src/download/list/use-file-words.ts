import type { File } from '@svc/contract'
import { useI18n } from 'vue-i18n'
import { useErrorText } from '../../errors/use-error-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import type { ManifestError } from '../../manifest/manifest-error.ts'
import { fileKind } from '../../ui/file/file-kind.ts'
import type { Availability } from '../../base/file-state.ts'

/** What the page says about a file, below its name. */
export interface DescribedFile {
  readonly file: File
  /** Bytes of its content. */
  readonly size: number
  /** Refused: it is not the file that was sent. */
  readonly state: Availability | 'refused'
  readonly refusal?: ManifestError
  /** How many times it can be downloaded; undefined without a number to show. */
  readonly maxDownloads?: number | undefined
  /** Whether the page says once for all files how many downloads are left. */
  readonly isLimitShared?: boolean
  /** Whether this page has downloaded the file, which the server no longer has. */
  readonly mine: boolean
  /** Whether the upload is a stream. */
  readonly live: boolean
}

export function useFileWords() {
  const { t } = useI18n()
  const format = useFormat()
  const errorText = useErrorText()

  function availableWords({ file, size, maxDownloads, isLimitShared }: DescribedFile): string {
    const kind = fileKind({ type: file.type, name: file.fileName })
    const parts = [
      size > 0 || file.status === 'uploaded' ? format.size(size) : '',
      kind === 'file' ? '' : t(`kind.${kind}`),
      maxDownloads === undefined || isLimitShared
        ? ''
        : t('download.downloadsLeft', {
            left: format.number(file.downloadsLeft ?? 0),
            count: format.number(maxDownloads),
          }),
    ]
    return parts.filter((part) => part !== '').join(' · ')
  }

  /** The page says once why it refuses all files. */
  function refusedWords(refusal: ManifestError | undefined): string {
    if (refusal?.code === 'manifest_unsent') return t('download.uploading')
    return refusal?.code.startsWith('file_') ? errorText(refusal) : t('manifest.fileRefused')
  }

  return (described: DescribedFile): string => {
    const { file, size, state, mine, live } = described
    switch (state) {
      case 'ready':
        return availableWords(described)
      case 'coming':
        if (live) return t('receiving.senderAway')
        if (file.offset !== undefined)
          return t('sending.bytes', {
            sent: format.size(Math.min(file.offset, size)),
            total: format.size(size),
          })
        if (file.interrupted === true) return t('receiving.interrupted')
        return file.status === 'uploading' ? t('download.uploading') : t('download.missing')
      case 'refused':
        return refusedWords(described.refusal)
      case 'gone':
        if (mine) return t('receiving.byYou')
        if (described.maxDownloads === undefined) return t('download.gone')
        return t(file.usedUp ? 'download.usedUp' : 'download.removedTitle')
    }
  }
}
