import { resolve } from 'node:path'
import { crossFieldProblems } from './checks/check.ts'
import { configOf, type Config } from './config.ts'
import { configFileVariable } from './sources/environment-name.ts'
import {
  environmentSettings,
  reasonOf,
  type Environment,
  type ReadFile,
} from './sources/environment-settings.ts'
import { fileSettings, type Setting, type Settings } from './sources/file-settings.ts'
import type { Option } from './options/option.ts'
import { optionKeys, optionOf, type OptionKey, type OptionValues } from './options/options.ts'
import { ConfigError, formatValue, type Problem } from './sources/problems.ts'

/** The sources of a configuration. */
export interface ConfigSources {
  /** The file that `--config` names. */
  readonly file?: string | undefined
  readonly environment: Environment
  /** The working directory, absolute. */
  readonly directory: string
  readonly readFile: ReadFile
  /** Whether the user can open files of a folder. By default every folder can be entered. */
  readonly canEnter?: (folder: string) => boolean
}

/**
 * Reads the configuration: the first file of `--config`, `SVCD_CONFIG`, `./svcd.toml` and `/etc/svcd.toml`, then the
 * `SVCD_*` variables, which override it. Other keys have their defaults.
 * @throws ConfigError with every problem at once
 */
export function loadConfig(sources: ConfigSources): Config {
  const { environment, directory, readFile } = sources
  const fromFile = readFileSettings(sources)
  const fromEnvironment = environmentSettings(environment, directory, readFile)
  const settings = new Map([...fromFile.settings, ...fromEnvironment.settings])
  const { values, failures } = parseSettings(settings, directory)

  const failed = new Set(failures.map(({ key }) => key))
  const crossField = crossFieldProblems(values, readFile)
    // A key that failed has its default here. Do not report problems of a value that the user did not set.
    .filter(({ key, because }) => ![key, ...because].some((involved) => failed.has(involved)))
    .map(({ key, message }) => problemOf(key, settings.get(key), message))

  const problems = [
    ...fromFile.problems,
    ...fromEnvironment.problems,
    ...failures.map(({ key, message }) => problemOf(key, settings.get(key), message)),
    ...crossField,
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return configOf(values)
}

/** The origin of a configuration. */
export interface ConfigOrigin {
  /** The file, if there is one. */
  readonly file: string | null
  /** Keys of the secrets in the file. */
  readonly secrets: readonly OptionKey[]
}

export function configOrigin(sources: ConfigSources): ConfigOrigin {
  const { settings } = readFileSettings(sources)
  const file = candidatesOf(sources).find((candidate) => isReadable(candidate, sources.readFile)) ?? null
  const secrets = [...settings].filter(([key, { value }]) => isSecret(key, value)).map(([key]) => key)
  return { file, secrets }
}

/** A database address is a secret only if it contains a password. */
const isSecret = (key: OptionKey, value: unknown): boolean =>
  optionOf(key).secret === true &&
  (key !== 'MetadataBackendConfig.ConnectionString' || /:\/\/[^/@]*:[^/@]+@/.test(String(value)))

function isReadable(path: string, readFile: ReadFile): boolean {
  try {
    readFile(path)
    return true
  } catch {
    return false
  }
}

/**
 * The default configuration.
 * @param directory base of relative data paths
 */
export function defaultConfig(directory = '.'): Config {
  return configOf(parseSettings(new Map(), directory).values)
}

/** The named file, or else the default files. */
function candidatesOf({ file, environment, directory }: ConfigSources): readonly string[] {
  const named = file ?? environment[configFileVariable]
  const path = named === undefined || named === '' ? undefined : resolve(directory, named)
  return path === undefined ? [resolve(directory, 'svcd.toml'), '/etc/svcd.toml'] : [path]
}

function readFileSettings(sources: ConfigSources): Settings {
  const { readFile, directory, canEnter = () => true } = sources
  const candidates = candidatesOf(sources)
  for (const candidate of candidates) {
    let toml: string
    try {
      toml = readFile(candidate)
    } catch (error) {
      // In a folder of another user, as after `sudo -u svcd` in the home of root, there is no file for this user.
      if (candidates.length > 1 && (isMissing(error) || !canEnter(directory))) continue
      const message = `the configuration file cannot be read: ${reasonOf(error)}`
      return { settings: new Map(), problems: [{ key: candidate, message }] }
    }
    return fileSettings(candidate, toml)
  }
  return { settings: new Map(), problems: [] }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

interface Failure {
  readonly key: OptionKey
  readonly message: string
}

/** Parses every key. A key that fails gets its default, so that the others can still be checked. */
function parseSettings(
  settings: ReadonlyMap<OptionKey, Setting>,
  directory: string,
): { readonly values: OptionValues; readonly failures: readonly Failure[] } {
  const failures: Failure[] = []
  const entries = optionKeys.map((key) => {
    const { kind } = optionOf(key)
    const setting = settings.get(key)
    const value = setting === undefined ? undefined : kind.parse(setting.value, setting.base)
    if (setting !== undefined && value === undefined) {
      failures.push({ key, message: invalidValue(optionOf(key), setting.value) })
    }
    return [key, value ?? defaultOf(key, directory)]
  })
  // Each value is from the parser of its key, as the type says.
  return { values: Object.fromEntries(entries) as OptionValues, failures }
}

function invalidValue({ kind, secret }: Option<unknown>, value: unknown): string {
  const wrong = `${secret ? 'the value' : formatValue(value)} is not ${kind.expects}`
  return kind.hint === undefined ? wrong : `${wrong}: write ${kind.hint}`
}

function defaultOf(key: OptionKey, directory: string): unknown {
  const option = optionOf(key)
  return option.kind.parse(
    option.default,
    option.defaultBase === 'server package' ? serverPackage() : directory,
  )
}

/** The folder of the server's package.json, so that defaults inside the product work in any working directory. */
function serverPackage(): string {
  return resolve(import.meta.dirname, '../..')
}

function problemOf(key: OptionKey, setting: Setting | undefined, message: string): Problem {
  return setting === undefined ? { key, message } : { key, source: setting.source, message }
}
