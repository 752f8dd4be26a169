import { fileKind } from '../ui/file/file-kind.ts'
import type { ThumbnailSource } from './use-thumbnails.ts'

/** One source for each file, which is what the page remembers a thumbnail by. */
/* eslint no-restricted-syntax: "off" -- a cache that keeps no file: an entry ends with its file */
const sources = new WeakMap<Blob, ThumbnailSource>()

/** The source of the thumbnail of a file on this device; undefined for kinds of files without one. */
export function chosenThumbnail(blob: Blob, name: string): ThumbnailSource | undefined {
  const kind = fileKind({ type: blob.type, name })
  if (kind !== 'image' && kind !== 'video') return undefined
  const source = sources.get(blob) ?? { kind, look: 'tile', open: () => Promise.resolve(blob) }
  sources.set(blob, source)
  return source
}
