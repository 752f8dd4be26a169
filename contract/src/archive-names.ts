import { utf8Length } from './utf8-length.ts'
import { joinParts, partsOf, safeSegment } from './archive-segment.ts'

/**
 * Longest path of an entry, in bytes of UTF-8. A zip could hold 65,535, but what unpacks it has about 4,096 on Linux
 * and 1,024 characters on macOS, the folder it unpacks into included.
 */
const pathBytes = 2_048

/** A relative path that stays below the folder it is unpacked into, on every system. */
function safePath(name: string): string {
  const segments = name
    .replace(/^[a-z]:/i, '')
    .split('/')
    .filter((segment) => !['', '.', '..'].includes(segment))
    .map(safeSegment)
  const file = segments.pop() ?? 'file'
  // Outer folders tell more than inner ones, so the inner ones go first.
  while (utf8Length([...segments, file].join('/')) > pathBytes) segments.pop()
  return [...segments, file].join('/')
}

/**
 * What two paths have in common that are one file on some system: macOS does not tell composed from decomposed
 * letters, Windows and macOS not upper from lower case. Lower case first, because `ẞ` has no other upper case.
 */
const sameFileKey = (path: string) => path.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD')

/** Adds every folder that a file is in, innermost first, up to one that is known with all its parents. */
function addFolders(folders: Set<string>, key: string): void {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const folder = key.slice(0, end)
    if (folders.has(folder)) return
    folders.add(folder)
  }
}

function numbered(path: string, number: number): string {
  const at = path.lastIndexOf('/') + 1
  return path.slice(0, at) + joinParts(partsOf(path.slice(at)), ` (${String(number)})`)
}

/**
 * Names of the entries of an archive, one for each file and in their order. All of them stay inside the folder that
 * they are unpacked into, and no two are the same file on any system: a later one of the same name gets a number,
 * and so does a file that is called like a folder. Harmless names that nobody else has stay as they are.
 * @param names names of the files, in a fixed order; `/` separates folders
 */
export function archiveNames(names: readonly string[]): string[] {
  const wanted = names.map((name) => {
    const path = safePath(name)
    return { path, key: sameFileKey(path) }
  })
  const taken = new Set<string>()
  for (const { key } of wanted) addFolders(taken, key)

  // Who comes first keeps the name, even before a number that an earlier file would like.
  const kept = wanted.map(({ path, key }) => {
    if (taken.has(key)) return null
    taken.add(key)
    return path
  })
  // Where counting goes on for a name, so that many equal names are not tried again and again.
  const last = new Map<string, number>()
  return wanted.map(({ path, key }, index) => {
    const own = kept[index] ?? null
    if (own !== null) return own
    for (let number = (last.get(key) ?? 1) + 1; ; number++) {
      const candidate = numbered(path, number)
      const candidateKey = sameFileKey(candidate)
      if (taken.has(candidateKey)) continue
      taken.add(candidateKey)
      last.set(key, number)
      return candidate
    }
  })
}
