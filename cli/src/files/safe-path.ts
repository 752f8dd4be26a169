/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

/** Control characters, those that change the writing direction, and separators of folders or drives on any system. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\\:*?"<>|]/gu
const unsafeOnPosix = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\\]/gu

/** Bytes of UTF-8. File systems accept 255, which must include a suffix. */
const maxNameBytes = 200

function shortened(name: string, maxBytes = maxNameBytes): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 20 ? name.slice(dot) : ''
  const room = maxBytes - Buffer.byteLength(ending)
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
  // A drive letter of Windows.
  const driven = cleaned.replace(/^([a-z]):/i, '$1_')
  const trimmed = windows ? driven.replace(/[. ]+$/, (end) => '_'.repeat(end.length)) : driven
  if (trimmed === '' || trimmed === '.' || trimmed === '..') return '_'.repeat(Math.max(1, trimmed.length))
  return shortened(windows && device.test(trimmed) ? `_${trimmed}` : trimmed)
}

/**
 * A safe path below a folder for a name from a server. It keeps the folders of the name, does not leave the target folder,
 * and has no control characters for a terminal.
 * @returns its segments, at least one
 */
export function safePath(fileName: string, platform: NodeJS.Platform): readonly string[] {
  const segments = fileName.split('/').filter((segment) => segment !== '' && segment !== '.')
  return (segments.length > 0 ? segments : ['']).map((segment) => safeSegment(segment, platform))
}

/**
 * A safe name of a folder, which ends in an id. Only the name before it is shortened: a long name must not make two ids share
 * a folder.
 * @param name name that the sender chose; undefined if there is none
 */
export function safeFolder(name: string | undefined, id: string, platform: NodeJS.Platform): string {
  // One byte more, for the `_` before names of devices.
  const room = maxNameBytes - Buffer.byteLength(`_ ${id}`)
  const whole = name === undefined ? id : `${shortened(name, room)} ${id}`
  return safeSegment(whole.replaceAll('/', '_'), platform)
}

/** A path as file systems compare it that ignore case or the encoding of accents. */
const compared = (path: string) => path.normalize('NFC').toLowerCase()

/** Assigns a number to each folder of the paths, and a comparable text to each name in a folder. */
function folderNumbers(paths: readonly (readonly string[])[]) {
  const numbers = new Map<string, number>()
  const nameIn = (folder: number, name: string) => `${String(folder)}/${compared(name)}`
  const parents = paths.map((path) => {
    let folder = 0
    for (const segment of path.slice(0, -1)) {
      const name = nameIn(folder, segment)
      folder = numbers.get(name) ?? numbers.size + 1
      numbers.set(name, folder)
    }
    return folder
  })
  return { parents, nameIn, isFolder: (name: string) => numbers.has(name) }
}

/** A name with a text in parentheses before its extension. */
function marked(name: string, mark: string): string {
  const dot = name.lastIndexOf('.')
  const cut = dot > 0 ? dot : name.length
  return `${name.slice(0, cut)} (${mark})${name.slice(cut)}`
}

/**
 * Assigns a distinct path to every file: `a.txt`, `a (2).txt`. A file never replaces a folder. The work is linear in the
 * characters of all paths, because a server chooses their names and number.
 * @param paths segments of each file, in their order
 */
export function distinctPaths(paths: readonly (readonly string[])[]): readonly string[] {
  const { parents, nameIn, isFolder } = folderNumbers(paths)
  const taken = new Set<string>()
  /** The next number for a name. */
  const next = new Map<string, number>()
  return paths.map((segments, index) => {
    const folder = parents[index] ?? 0
    const last = segments.at(-1) ?? ''
    const wanted = nameIn(folder, last)
    for (let count = next.get(wanted) ?? 1; ; count += 1) {
      const name = count === 1 ? last : marked(last, String(count))
      const found = nameIn(folder, name)
      if (taken.has(found) || isFolder(found)) continue
      taken.add(found)
      next.set(wanted, count + 1)
      return [...segments.slice(0, -1), name].join('/')
    }
  })
}

/** A name with this part is changed: it could be the name of another file with its id. */
const idLike = / \([\dA-Za-z]{16}\)/

/**
 * Assigns a distinct path to every file, in any order of the files: `a.txt`, or `a (ID).txt` for each of those whose
 * name another file or a folder has. A further file changes no path to one that another file has had.
 * @param files with the segments of their paths
 */
export function pathsWithIDs(
  files: readonly { readonly id: string; readonly segments: readonly string[] }[],
): readonly string[] {
  const { parents, nameIn, isFolder } = folderNumbers(files.map(({ segments }) => segments))
  const names = files.map(({ segments }, index) => nameIn(parents[index] ?? 0, segments.at(-1) ?? ''))
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) (seen.has(name) ? repeated : seen).add(name)
  return files.map(({ id, segments }, index) => {
    const last = segments.at(-1) ?? ''
    const name = names[index] ?? ''
    const isAlone = !repeated.has(name) && !isFolder(name) && !idLike.test(last)
    return [...segments.slice(0, -1), isAlone ? last : marked(last, id)].join('/')
  })
}
