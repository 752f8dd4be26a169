/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

/** Controls, what turns the direction of writing, and what separates folders or drives on some system. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\\:*?"<>|]/gu
const unsafeOnPosix = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\\]/gu

/** Bytes of UTF-8; file systems take 255, and a suffix must fit, too. */
const longest = 200

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 20 ? name.slice(dot) : ''
  const room = longest - Buffer.byteLength(ending)
  let kept = ''
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(kept + character) > room) break
    kept += character
  }
  return kept + ending
}

function safeSegment(segment: string, platform: NodeJS.Platform): string {
  const windows = platform === 'win32'
  const cleaned = segment.replaceAll(windows ? unsafe : unsafeOnPosix, '_')
  // A drive letter, which has a meaning only on Windows.
  const driven = cleaned.replace(/^([a-z]):/i, '$1_')
  const trimmed = windows ? driven.replace(/[. ]+$/, (end) => '_'.repeat(end.length)) : driven
  if (trimmed === '' || trimmed === '.' || trimmed === '..') return '_'.repeat(Math.max(1, trimmed.length))
  return shortened(windows && device.test(trimmed) ? `_${trimmed}` : trimmed)
}

/**
 * The path below a folder that a file may have which a server calls so: folders stay, nothing leads elsewhere or
 * steers a terminal.
 * @returns its segments, at least one
 */
export function safePath(fileName: string, platform: NodeJS.Platform): readonly string[] {
  const segments = fileName.split('/').filter((segment) => segment !== '' && segment !== '.')
  return (segments.length > 0 ? segments : ['']).map((segment) => safeSegment(segment, platform))
}

/** How a file system that ignores case or the way of writing accents would compare it. */
const compared = (path: string) => path.normalize('NFC').toLowerCase()

/**
 * Gives every file a distinct path: `a.txt`, `a (2).txt`. A file never takes the place of a folder.
 * @param paths segments of each file, in their order
 */
export function distinctPaths(paths: readonly (readonly string[])[]): readonly string[] {
  const taken = new Set<string>()
  const folders = new Set(
    paths.flatMap((path) =>
      path.slice(0, -1).map((_, index) => compared(path.slice(0, index + 1).join('/'))),
    ),
  )
  return paths.map((segments) => {
    const path = segments.join('/')
    const dot = (segments.at(-1) ?? '').lastIndexOf('.')
    const cut = dot > 0 ? path.length - ((segments.at(-1) ?? '').length - dot) : path.length
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? path : `${path.slice(0, cut)} (${String(count)})${path.slice(cut)}`
      if (taken.has(compared(name)) || folders.has(compared(name))) continue
      taken.add(compared(name))
      return name
    }
  })
}
