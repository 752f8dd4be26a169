import { resolve } from 'node:path'
import { parseJson } from '@svc/contract'
import { configFileVariable, environmentName, environmentPrefix, secretFileName } from './environment-name.ts'
import { isTable, tableSettings, type Setting, type Settings } from './file-settings.ts'
import { optionKeys, optionOf, sections, type OptionKey } from '../options/options.ts'
import { unknownName, type Problem } from './problems.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a whole text file.
 * @throws with `code` `ENOENT` when there is none
 */
export type ReadFile = (path: string) => string

/** The meaning of a variable. */
type Meaning =
  | { readonly kind: 'config file' }
  | { readonly kind: 'section'; readonly section: string }
  | { readonly kind: 'value' | 'secret file'; readonly key: OptionKey }

/**
 * The settings of the `SVCD_*` variables. The variable of a section is a JSON map; the variable of a single key
 * overrides it. Relative paths start from the working directory.
 * @param directory the working directory, absolute
 */
export function environmentSettings(
  environment: Environment,
  directory: string,
  readFile: ReadFile,
): Settings {
  const meanings = meaningOfVariables()
  const fromSections = new Map<OptionKey, Setting>()
  const settings = new Map<OptionKey, Setting>()
  const problems: Problem[] = []

  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(environmentPrefix) || value === undefined) continue
    const meaning = meanings.get(variable)
    switch (meaning?.kind) {
      case undefined:
        problems.push({ key: variable, message: unknownName('variable', variable, [...meanings.keys()]) })
        break
      case 'config file':
        break
      case 'section': {
        const section = sectionSettings(meaning.section, value, variable, directory)
        for (const [key, setting] of section.settings) fromSections.set(key, setting)
        problems.push(...section.problems)
        break
      }
      case 'value':
        settings.set(meaning.key, { value, source: variable, base: directory })
        break
      case 'secret file': {
        const secret = readSecret(meaning.key, resolve(directory, value), environment, readFile)
        if (typeof secret === 'string') {
          settings.set(meaning.key, { value: secret, source: variable, base: directory })
        } else problems.push(secret)
        break
      }
    }
  }
  return { settings: new Map([...fromSections, ...settings]), problems }
}

function meaningOfVariables(): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>([[configFileVariable, { kind: 'config file' }]])
  for (const section of sections) meanings.set(environmentName(section), { kind: 'section', section })
  for (const key of optionKeys) {
    meanings.set(environmentName(key), { kind: 'value', key })
    if (optionOf(key).secret) meanings.set(secretFileName(key), { kind: 'secret file', key })
  }
  return meanings
}

function sectionSettings(section: string, json: string, variable: string, base: string): Settings {
  const table = parseJson(json)
  if (isTable(table)) return tableSettings(table, section, variable, base)
  // The text is not shown: a section can contain secrets.
  const message = 'is not a JSON map: write for example {"Key":"value"}'
  return { settings: new Map(), problems: [{ key: section, source: variable, message }] }
}

function readSecret(
  key: OptionKey,
  path: string,
  environment: Environment,
  readFile: ReadFile,
): string | Problem {
  const source = secretFileName(key)
  const plain = environmentName(key)
  if (environment[plain] !== undefined)
    return { key, source, message: `is also set by ${plain}: keep only one` }
  try {
    // Editors end a file with a newline that is not part of the secret.
    return readFile(path).replace(/\r?\n$/, '')
  } catch (error) {
    return { key, source, message: `the file ${path} cannot be read: ${reasonOf(error)}` }
  }
}

/** The reason of a failed read, for a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
