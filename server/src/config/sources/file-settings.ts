import { dirname } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { optionKeys, sections, type OptionKey } from '../options/options.ts'
import { unknownName, type Problem } from './problems.ts'

/** The value of a key in one source, before parsing. */
export interface Setting {
  readonly value: unknown
  /** The file or variable it comes from. */
  readonly source: string
  /** Absolute folder that relative paths start from. */
  readonly base: string
}

export interface Settings {
  readonly settings: ReadonlyMap<OptionKey, Setting>
  readonly problems: readonly Problem[]
}

type Table = Readonly<Record<string, unknown>>

const keyOfLowerCase: ReadonlyMap<string, OptionKey> = new Map(
  optionKeys.map((key) => [key.toLowerCase(), key]),
)

/**
 * The settings of a TOML file. Keys ignore case; relative paths start from the file's folder.
 * @param file absolute path of the file
 * @param toml its content
 */
export function fileSettings(file: string, toml: string): Settings {
  try {
    const table = parse(toml, { integersAsBigInt: 'asNeeded' })
    return tableSettings(table, undefined, file, dirname(file))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.split('\n')
    const position = `line ${String(error.line)}, column ${String(error.column)}`
    return { settings: new Map(), problems: [{ key: file, message: `${position}: ${reason}` }] }
  }
}

/**
 * The settings of a table of keys and values.
 * @param section the section of the table; undefined for a whole file, which contains sections
 */
export function tableSettings(
  table: Table,
  section: string | undefined,
  source: string,
  base: string,
): Settings {
  const settings = new Map<OptionKey, Setting>()
  const problems: Problem[] = []
  for (const { name, section: within, value } of entriesOf(table, section)) {
    const path = within === undefined ? name : `${within}.${name}`
    const key = keyOfLowerCase.get(path.toLowerCase())
    if (key !== undefined && settings.has(key)) {
      problems.push({ key, source, message: 'is set twice (keys ignore case): keep only one' })
    } else if (key !== undefined) settings.set(key, { value, source, base })
    else problems.push({ key: path, source, message: unknownKey(name, within) })
  }
  return { settings, problems }
}

interface Entry {
  readonly section: string | undefined
  readonly name: string
  readonly value: unknown
}

function entriesOf(table: Table, section: string | undefined): readonly Entry[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const nested = section === undefined ? sectionOf(name) : undefined
    return nested !== undefined && isTable(value) ? entriesOf(value, nested) : [{ section, name, value }]
  })
}

function sectionOf(name: string): string | undefined {
  return sections.find((section) => section.toLowerCase() === name.toLowerCase())
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function unknownKey(name: string, section: string | undefined): string {
  const asSection = section === undefined ? sectionOf(name) : undefined
  if (asSection !== undefined) return `is a section: write its keys below a line [${asSection}]`
  // In TOML, every line below `[Section]` belongs to that section. This mistake is frequent, so the message has a hint.
  const topLevel = section === undefined ? undefined : keyOfLowerCase.get(name.toLowerCase())
  if (topLevel !== undefined) return `unknown key: ${topLevel} belongs above the first [section]`
  const known = section === undefined ? [...optionKeys, ...sections] : membersOf(section)
  return unknownName('key', name, known)
}

function membersOf(section: string): readonly string[] {
  const prefix = `${section}.`
  return optionKeys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
}
