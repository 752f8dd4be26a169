import type { IconName } from '../icons.ts'

/** What a file is for people who know no media types. */
export type FileKind =
  | 'image'
  | 'video'
  | 'audio'
  | 'text'
  | 'pdf'
  | 'document'
  | 'table'
  | 'slides'
  | 'code'
  | 'archive'
  | 'program'
  | 'file'

/** The order decides: a type is matched against the first pattern that fits. */
const byType: readonly (readonly [FileKind, RegExp])[] = [
  ['image', /^image\//],
  ['video', /^video\//],
  ['audio', /^audio\//],
  ['pdf', /^application\/pdf/],
  ['archive', /zip|compressed|x-tar|x-7z|x-rar|gzip|x-xz|zstd/],
  ['table', /spreadsheet|ms-excel|\/csv/],
  ['slides', /presentation|ms-powerpoint/],
  ['document', /wordprocessing|msword|opendocument\.text|\/rtf|epub/],
  ['program', /x-msdownload|x-executable|x-elf|debian|x-msi|apk|diskimage/],
  ['code', /javascript|json|xml$|html|\/css|x-sh|x-python/],
  ['text', /^text\//],
]

/** Where the type says nothing: encrypted files, and types that the browser or the server does not know. */
const byEnding: Readonly<Record<string, FileKind>> = Object.fromEntries(
  Object.entries({
    image: 'jpg jpeg png gif webp avif heic heif bmp tif tiff svg ico raw psd',
    video: 'mp4 m4v mov webm mkv avi mpg mpeg',
    audio: 'mp3 m4a wav flac ogg opus aac',
    text: 'txt md log',
    pdf: 'pdf',
    document: 'doc docx odt rtf pages epub',
    table: 'xls xlsx ods csv numbers',
    slides: 'ppt pptx odp key',
    code: 'js ts json xml html css py sh java c cpp rs go sql yml yaml',
    archive: 'zip 7z rar tar gz tgz xz bz2 zst',
    program: 'exe msi dmg apk deb rpm appimage iso',
  } satisfies Partial<Record<FileKind, string>>).flatMap(([kind, endings]) =>
    endings.split(' ').map((ending) => [ending, kind as FileKind]),
  ),
)

/**
 * The kind of a file by its media type, or else by its name.
 * @param type media type; empty or `application/octet-stream` where it is unknown
 */
export function fileKind({ type, name }: { readonly type: string; readonly name: string }): FileKind {
  const [kind] = byType.find(([, pattern]) => pattern.test(type)) ?? []
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  // A name is more exact than "a text": a table of values, a program's source.
  if (kind !== undefined && kind !== 'text') return kind
  return (Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined) ?? kind ?? 'file'
}

/** The icon of a kind. */
export const kindIcons = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  text: 'text',
  pdf: 'pdf',
  document: 'text',
  table: 'table',
  slides: 'slides',
  code: 'code',
  archive: 'archive',
  program: 'program',
  file: 'file',
} as const satisfies Record<FileKind, IconName>
