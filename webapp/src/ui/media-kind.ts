import type { IconName } from './AppIcon.vue'

const archive = /zip|compressed|x-tar|x-7z|x-rar|gzip|x-xz|zstd/

/** The picture that stands for a media type. */
export function iconOf(type: string): IconName {
  if (archive.test(type)) return 'archive'
  const [family] = type.split('/')
  switch (family) {
    case 'image':
    case 'video':
    case 'audio':
    case 'text':
      return family
    default:
      return 'file'
  }
}
