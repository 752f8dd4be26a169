import type { IconName } from '../AppIcon.vue'

const topLevelTypes = ['image', 'video', 'audio', 'text'] as const
const archive = /zip|compressed|x-tar|x-7z|x-rar|gzip|x-xz|zstd/

/** The icon of a media type. */
export function iconOf(type: string): IconName {
  if (archive.test(type)) return 'archive'
  return topLevelTypes.find((topLevel) => type.startsWith(`${topLevel}/`)) ?? 'file'
}
