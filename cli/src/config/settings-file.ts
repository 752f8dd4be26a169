import { chmod, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseDuration } from '@svc/contract'
import { parse, stringify } from 'smol-toml'
import { localFailure, usageFailure } from '../errors/failure.ts'
import { makeDirectories } from '../files/make-directories.ts'
import type { Program } from '../program/program.ts'
import { errorMessage, systemCode } from '../errors/error-message.ts'
import { withSetting } from './edit-settings.ts'
import { configPath } from './standard-folders.ts'

/** The keys of a profile, each with a check that returns the error of a value. */
const checks = {
  server: (value: unknown) => (typeof value === 'string' ? undefined : 'must be an address'),
  token: (value: unknown) => (typeof value === 'string' ? undefined : 'must be a text'),
  ttl: (value: unknown) =>
    typeof value === 'string' && parseDuration(value) !== undefined ? undefined : 'must be a duration',
  oneshot: (value: unknown) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  removable: (value: unknown) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  insecure: (value: unknown) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  updates: (value: unknown) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  github: (value: unknown) => (typeof value === 'string' ? undefined : 'must be an address'),
} as const

export type SettingName = keyof typeof checks
export const settingNames = Object.keys(checks) as readonly SettingName[]

export interface Profile {
  readonly server?: string
  readonly token?: string
  readonly ttl?: string
  readonly oneshot?: boolean
  readonly removable?: boolean
  readonly insecure?: boolean
  /** Whether svc reports a newer version on the server, once a day. */
  readonly updates?: boolean
  /** Address of the GitHub, or of a service like it, of recipients such as `github:USER`. */
  readonly github?: string
}

export interface Settings {
  /** The profile that is used unless another one is named. */
  readonly profile: string
  readonly profiles: Readonly<Partial<Record<string, Profile>>>
}

const defaultProfile = 'default'

/** Path of the configuration file; SVC_CONFIG overrides it. */
export function settingsPath(program: Program): string {
  const named = program.environment['SVC_CONFIG']
  return named === undefined || named === '' ? configPath(program, 'config.toml') : named
}

/** @throws Failure when the file is unreadable or invalid, with all problems */
export async function readSettings(program: Program): Promise<Settings> {
  const path = settingsPath(program)
  const settings = settingsOf(path, await textOf(path))
  await warnAboutPermissions(program, path, settings)
  return settings
}

/** Empty where there is no file. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw usageFailure(`the configuration file ${path} cannot be read: ${errorMessage(error)}`, error)
  }
}

const settingsOf = (path: string, text: string): Settings => checked(path, parsed(path, text))

function parsed(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text)
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    throw usageFailure(`the configuration file ${path} is not valid TOML: ${reason}`, error)
  }
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checked(path: string, file: Readonly<Record<string, unknown>>): Settings {
  const problems: string[] = []
  const { profile = defaultProfile, profiles = {}, ...unknown } = file
  problems.push(...Object.keys(unknown).map((name) => `unknown key ${name}`))
  if (typeof profile !== 'string') problems.push('profile must be a name')
  if (!isTable(profiles)) problems.push('profiles must be tables, such as [profiles.default]')
  for (const [name, entries] of Object.entries(isTable(profiles) ? profiles : {})) {
    if (!isTable(entries)) problems.push(`profiles.${name} must be a table`)
    else problems.push(...problemsOf(name, entries))
  }
  if (problems.length > 0) throw usageFailure(`the configuration file ${path}: ${problems.join('; ')}`)
  return { profile: profile as string, profiles: profiles as Settings['profiles'] }
}

function problemsOf(name: string, entries: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const problem = settingNames.some((known) => known === key)
      ? checks[key as SettingName](value)
      : 'is an unknown key'
    return problem === undefined ? [] : [`profiles.${name}.${key} ${problem}`]
  })
}

async function warnAboutPermissions(program: Program, path: string, { profiles }: Settings): Promise<void> {
  if (
    program.platform === 'win32' ||
    !Object.values(profiles).some((profile) => profile?.token !== undefined)
  )
    return
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) program.printToStderr(`warning: others can read the token in ${path} (chmod 600)`)
}

/**
 * Replaces a file of the configuration atomically; only its owner can read it.
 * @param what kind of the file, for messages
 * @throws Failure
 */
export async function replaceFile(what: string, path: string, text: string): Promise<void> {
  try {
    await makeDirectories(dirname(path), 0o700)
    // If the file is a link, the link stays.
    const target = await realpath(path).catch(() => path)
    const newFile = `${target}.new`
    await writeFile(newFile, text, { mode: 0o600 })
    await chmod(newFile, 0o600)
    await rename(newFile, target)
  } catch (error) {
    throw localFailure(`the ${what} ${path} cannot be written: ${errorMessage(error)}`, error)
  }
}

/** Changes one profile, removes undefined values, and keeps the rest of the file. */
export async function changeProfile(
  program: Program,
  name: string,
  change: Readonly<Record<string, string | boolean | undefined>>,
): Promise<void> {
  const path = settingsPath(program)
  const { profile, profiles } = await readSettings(program)
  const entries = Object.entries<string | boolean | undefined>({ ...profiles[name], ...change })
  const changed = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  const wanted = { profile, profiles: { ...profiles, [name]: changed } }
  let text = await textOf(path)
  for (const [key, value] of Object.entries(change)) text = withSetting(text, name, key, value)
  await replaceFile('configuration file', path, hasProfile(path, text, wanted) ? text : textFor(wanted))
}

function hasProfile(path: string, text: string, wanted: Settings): boolean {
  try {
    // The parser's objects have no prototype; copies are all alike.
    return isDeepStrictEqual(structuredClone(settingsOf(path, text)), structuredClone(wanted))
  } catch {
    return false
  }
}

const textFor = ({ profile, profiles }: Settings): string =>
  stringify({ ...(profile !== defaultProfile && { profile }), profiles })
