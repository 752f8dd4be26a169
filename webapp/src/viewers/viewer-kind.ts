import { type File, type Upload, lastSegment } from '@svc/contract'

/** The kind of a viewer. */
export type ViewerKind = 'text' | 'markdown' | 'image' | 'svg' | 'pdf' | 'audio' | 'video'

/** Text and image files by their extension, regardless of the type that the server detected. */
const byExtension: Readonly<Record<string, ViewerKind>> = Object.fromEntries(
  (
    [
      ['markdown', 'md markdown mdown mkd'],
      ['svg', 'svg'],
      ['pdf', 'pdf'],
      ['image', 'png apng jpg jpeg jfif gif webp avif bmp ico'],
      ['audio', 'mp3 m4a aac oga ogg opus flac wav weba'],
      ['video', 'mp4 m4v webm ogv mov'],
      [
        'text',
        'txt text log csv tsv json jsonl json5 xml yaml yml toml ini conf cfg properties env html htm xhtml css scss ' +
          'sass less js mjs cjs jsx ts mts cts tsx vue svelte py rb rs go java kt kts scala swift c h cc cpp cxx hpp ' +
          'cs fs php pl pm lua r jl dart ex exs erl hs clj lisp el sql sh bash zsh fish ps1 bat cmd tex bib rst adoc ' +
          'org diff patch srt vtt ics vcf proto graphql gradle cmake mk dockerfile gitignore editorconfig nfo asc pem',
      ],
    ] as const
  ).flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind])),
)

/** Names of text files without an extension. */
const plainNames = /^(?:readme|license|licence|copying|changelog|authors|makefile|dockerfile|todo|news)$/i

const drawn = /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/

function byName(name: string): ViewerKind | undefined {
  const base = lastSegment(name)
  const dot = base.lastIndexOf('.')
  if (dot === -1) return plainNames.test(base) ? 'text' : undefined
  const ending = base.slice(dot + 1).toLowerCase()
  return Object.hasOwn(byExtension, ending) ? byExtension[ending] : undefined
}

/**
 * The viewer of a file, if there is one. The type that the server detected has priority over the name: a picture named `.txt`
 * is a picture. For text the name is more reliable, and for encrypted files it is the only source.
 */
export function viewerKind(
  { fileName, type }: Pick<File, 'fileName' | 'type'>,
  { e2ee }: Pick<Upload, 'e2ee'>,
): ViewerKind | undefined {
  if (e2ee !== '') return byName(fileName)
  const [media = ''] = type.toLowerCase().split(';')
  const found = media.trim()
  if (drawn.test(found)) return 'image'
  if (found.startsWith('audio/')) return 'audio'
  if (found.startsWith('video/')) return 'video'
  if (found === 'application/pdf') return 'pdf'
  if (found === 'image/svg+xml') return 'svg'
  const named = byName(fileName)
  // A PDF may consist of plain text.
  if (/^text\/|[/+](?:xml|json)$/.test(found)) return named === 'markdown' || named === 'pdf' ? named : 'text'
  return found === '' || found === 'application/octet-stream' ? named : undefined
}

/** Bytes up to which a file is shown. The limit of text is that of docs/protocol.md#limits, the others protect memory. */
export function viewerLimit(kind: ViewerKind): number {
  switch (kind) {
    case 'text':
    case 'markdown':
      return 5_000_000
    case 'svg':
      return 1_000_000
    case 'image':
    case 'pdf':
    case 'audio':
    case 'video':
      return 64_000_000
  }
}
