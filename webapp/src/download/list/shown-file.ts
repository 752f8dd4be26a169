import type { RouteLocationRaw } from 'vue-router'
import type { ThumbnailSource } from '../../thumbnails/use-thumbnails.ts'
import type { DescribedFile } from './use-file-words.ts'
import type { PageDownload } from '../files/use-download-runs.ts'

/** A file as the page of an upload shows it, with what a visitor can do with it. */
export interface ShownFile extends DescribedFile {
  /** Address of the download. */
  readonly url: string
  /** Link to copy. */
  readonly link: string
  /** Address of the viewer, if there is one. */
  readonly view?: RouteLocationRaw | undefined
  /** Picture of the file, if it is available without using a download. */
  readonly thumbnail?: ThumbnailSource | undefined
  readonly removable: boolean
  /** Progress of a download through this page. */
  readonly saving?: PageDownload | undefined
}
