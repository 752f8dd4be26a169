import { utf8Length } from './utf8-length.ts'
import { joinParts, partsOf, safeSegment, withRoom } from './path-segment.ts'

/**
 * Longest path of an entry, in bytes of UTF-8. A zip can hold 65,535, but programs that unpack it are limited to about
 * 4,096 bytes on Linux and 1,024 characters on macOS, including the target folder.
 */
const maxPathBytes = 2_048

/**
 * Most folders of an entry. Every folder of every file is compared with all names, so that the depth of a thousand files
 * decides how long an archive takes to plan.
 */
const maxFolders = 32

/** A relative path that stays below the target folder on every system. */
function safePath(name: string): string {
  const segments = name
    .replace(/^[a-z]:/i, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  const file = safeSegment(segments.pop() ?? 'file')
  // Outer folders say more than inner ones, so inner ones are dropped first.
  const folders = segments.slice(0, maxFolders).map(safeSegment)
  while (utf8Length([...folders, file].join('/')) > maxPathBytes) folders.pop()
  return [...folders, file].join('/')
}

/**
 * A key that is equal for two paths that name the same file on some system: macOS does not distinguish composed from
 * decomposed letters, Windows and macOS do not distinguish upper from lower case. Lower case comes first, because `ẞ`
 * has no other upper case.
 */
const sameFileKey = (path: string) => path.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD')

/** Adds every folder of a file, innermost first, up to a known one: its parents are known too. */
function addFolders(folders: Set<string>, key: string): void {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const folder = key.slice(0, end)
    if (folders.has(folder)) return
    folders.add(folder)
  }
}

/**
 * Characters for a number, of which a name that gets one leaves room, so that all numbers of a name have the same beginning.
 */
const numberLength = ' (999999)'.length

/** A name that gets a number. Two names with the same key get the same names for the same numbers. */
interface NumberedName {
  readonly key: string
  readonly withNumber: (number: number) => string
}

function numberedName(path: string): NumberedName {
  const at = path.lastIndexOf('/') + 1
  const folders = path.slice(0, at)
  const parts = withRoom(partsOf(path.slice(at)), numberLength)
  return {
    key: sameFileKey(folders + joinParts(parts, ' ()')),
    withNumber: (number) => folders + joinParts(parts, ` (${String(number)})`),
  }
}

/** The number of names that one step plans. */
const namesPerStep = 25

/**
 * Names of the entries of an archive, one for each file and in their order. All entries stay inside the target folder,
 * and no two are the same file on any system: a later file with the same name gets a number, and so does a file with
 * the name of a folder. Unique harmless names do not change.
 * @param names names of the files, in a fixed order; `/` separates folders
 */
export function archiveNames(names: readonly string[]): string[] {
  const steps = archiveNameSteps(names)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same in steps of a few milliseconds, between which a server can serve other requests. */
export function* archiveNameSteps(names: readonly string[]): Generator<undefined, string[]> {
  const safeNames: { readonly path: string; readonly key: string }[] = []
  const taken = new Set<string>()
  for (const [index, name] of names.entries()) {
    const path = safePath(name)
    const key = sameFileKey(path)
    safeNames.push({ path, key })
    addFolders(taken, key)
    if ((index + 1) % namesPerStep === 0) yield
  }

  // The first file keeps its name, even if it is the numbered name that an earlier file would get.
  const firstNames = safeNames.map(({ path, key }) => {
    if (taken.has(key)) return null
    taken.add(key)
    return path
  })
  // The last number of each name, so that many equal names are not all tried again.
  const lastNumbers = new Map<string, number>()
  const numberNext = (path: string) => {
    const { key, withNumber } = numberedName(path)
    for (let number = (lastNumbers.get(key) ?? 1) + 1; ; number++) {
      const candidate = withNumber(number)
      const candidateKey = sameFileKey(candidate)
      if (taken.has(candidateKey)) continue
      taken.add(candidateKey)
      lastNumbers.set(key, number)
      return candidate
    }
  }
  const numbered: string[] = []
  for (const [index, { path }] of safeNames.entries()) {
    numbered.push(firstNames[index] ?? numberNext(path))
    if ((index + 1) % namesPerStep === 0) yield
  }
  return numbered
}
