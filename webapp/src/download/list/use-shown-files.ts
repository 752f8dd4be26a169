import { ageScheme, type File, type Upload, withKey } from '@svc/contract'
import { computed } from 'vue'
import { useRoute } from 'vue-router'
import { api } from '../../api/api.ts'
import { uploadRoute } from '../key/upload-route.ts'
import type { UploadKey } from '../key/use-upload-key.ts'
import { shownSize } from '../../encryption/shown-size.ts'
import type { ManifestError } from '../../manifest/manifest-error.ts'
import { availability } from '../../base/file-state.ts'
import { isLimited, sharedDownloadsLeft } from '../files/download-limit.ts'
import type { PageDownload } from '../files/use-download-runs.ts'
import type { ShownFile } from './shown-file.ts'
import { useReceivedThumbnails, type PreviewAccess } from './use-received-thumbnails.ts'
import { isViewable } from './viewable.ts'

export interface ShownFilesContext
  extends Omit<PreviewAccess, 'key'>, Pick<UploadKey, 'key' | 'linkKey' | 'mark'> {
  readonly upload: () => Upload
  /** The files to show. */
  readonly files: () => readonly File[]
  /** The file in the viewer. */
  readonly viewed: () => File | undefined
  /** Why a file is not the one that was sent. */
  readonly refusalOf: (file: File) => ManifestError | undefined
  /** Whether pictures of a file may be shown. */
  readonly isShown: (file: File) => boolean
  /** Address of a download. */
  readonly urlOf: (file: File) => string
  /** Whether this page has downloaded the file, which the server no longer has. */
  readonly isMine: (file: File) => boolean
  readonly savingOf: (file: File) => PageDownload | undefined
}

/** The files of an upload, with what a visitor can do with them. */
export function useShownFiles({
  upload,
  files,
  viewed,
  linkKey,
  mark,
  refusalOf,
  isShown,
  urlOf,
  isMine,
  savingOf,
  access,
  key,
}: ShownFilesContext) {
  const route = useRoute()
  const thumbnailOf = useReceivedThumbnails({ access, key: () => key.value })
  /** The only file has a large picture, unless the viewer shows it. */
  const look = computed(() => (files().length === 1 && viewed() === undefined ? 'preview' : 'tile'))

  /** The link to share: the page if a click may consume the file or asks for a password, otherwise the file. */
  const linkTo = (file: File): string => {
    const current = upload()
    return isLimited(current) || current.protectedByPassword || current.stream || current.e2ee === ageScheme
      ? withKey(api.pageURL(current, { fileID: file.id }), linkKey.value, mark.value)
      : api.fileURL(current, file)
  }
  const viewOf = (file: File) =>
    isViewable(upload(), file) && file.id !== viewed()?.id
      ? uploadRoute(route, upload().id, file.id)
      : undefined

  const stateOf = (file: File): Pick<ShownFile, 'state' | 'refusal'> => {
    const state = availability(file, upload())
    const refusal = state === 'ready' ? refusalOf(file) : undefined
    return refusal === undefined ? { state } : { state: 'refused', refusal }
  }

  return computed(() => {
    const current = upload()
    const isLimitShared = sharedDownloadsLeft(current) !== undefined
    // Getters: of a long list, only the rows in the window read them, and a download in progress changes only its row.
    return files().map((file): ShownFile => ({
      file,
      size: shownSize(current, file),
      ...stateOf(file),
      maxDownloads: current.oneShot ? undefined : current.maxDownloads,
      isLimitShared,
      live: current.stream,
      removable: current.removable || current.admin,
      get mine() {
        return isMine(file)
      },
      get url() {
        return urlOf(file)
      },
      get link() {
        return linkTo(file)
      },
      get view() {
        return viewOf(file)
      },
      get thumbnail() {
        return isShown(file) ? thumbnailOf(current, file, look.value) : undefined
      },
      get saving() {
        return savingOf(file)
      },
    }))
  })
}
