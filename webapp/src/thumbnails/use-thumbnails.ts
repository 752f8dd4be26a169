import { onScopeDispose } from 'vue'
import { createElementObserver } from '../base/browser/element-observer.ts'
import { defineStore } from '../base/store.ts'
import { drawThumbnail, type ThumbnailLook } from './draw-thumbnail.ts'
import type { ThumbnailKind } from './with-picture.ts'
import { createThumbnailStore } from './thumbnail-store.ts'

/** The content of a file for its thumbnail. */
export interface ThumbnailSource {
  readonly kind: ThumbnailKind
  readonly look: ThumbnailLook
  readonly open: (signal: AbortSignal) => Promise<Blob>
}

/** The thumbnails of the page, in memory. */
export const useThumbnails = defineStore(() => {
  /** Rows in the window, and a few beside it. */
  const rowsInView = createElementObserver(null, '200px 0px')
  onScopeDispose(rowsInView.disconnect)
  const thumbnails = createThumbnailStore<ThumbnailSource>({
    draw: async ({ open, ...source }, signal) => drawThumbnail(await open(signal), source, signal),
    concurrency: 2,
    capacity: 200,
  })
  return { rowsInView, thumbnails }
})
