import type { File, Upload } from '@svc/contract'
import { onScopeDispose, watch } from 'vue'
import { api } from '../api/api.ts'
import { isFreeToLoad } from './free-to-load.ts'
import { viewerKind } from './viewer-kind.ts'

/** Images of this size in bytes and larger ones load only when they are shown. */
const maxBytes = 10_000_000

/** The visitor wants to save data. Not all browsers say so. */
const savesData = (): boolean => {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

/** Like the picture of the viewer, so that the browser does not load it again. */
function preload(url: string): HTMLImageElement {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.fetchPriority = 'low'
  image.src = url
  return image
}

/** Loads the images beside the shown file, the next one first. */
export function usePreloadedImages(
  view: () => { readonly upload: Upload; readonly files: readonly File[]; readonly fileID: string },
): void {
  /** The browser keeps an image as long as it is referenced. */
  let images = new Map<string, HTMLImageElement>()
  const wanted = (): string[] => {
    const { upload, files, fileID } = view()
    const place = files.findIndex(({ id }) => id === fileID)
    if (place === -1 || !isFreeToLoad(upload) || savesData()) return []
    return [files[place + 1], files[place - 1]].flatMap((file) =>
      file !== undefined && file.fileSize < maxBytes && viewerKind(file, upload) === 'image'
        ? [api.fileURL(upload, file)]
        : [],
    )
  }
  watch(
    wanted,
    (urls) => {
      images = new Map(urls.map((url) => [url, images.get(url) ?? preload(url)]))
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    images.clear()
  })
}
