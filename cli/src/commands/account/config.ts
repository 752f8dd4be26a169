import { isUserToken, parseDuration } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { facts, printableJson } from '@svc/terminal'
import { outputArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { requireOneProfile } from '../../config/target.ts'
import { serverAddress } from '../../config/server-address.ts'
import {
  changeProfile,
  readSettings,
  settingNames,
  settingsPath,
  type Profile,
  type SettingName,
} from '../../config/settings-file.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  key: { type: 'positional', required: false, description: `One of ${settingNames.join(', ')}` },
  value: { type: 'positional', required: false, description: 'New value' },
  unset: { type: 'boolean', description: 'Remove the key' },
  profile: serverArgsDef.profile,
  json: outputArgsDef.json,
} as const satisfies ArgsDef

export const config = (program: Program) =>
  defineCommand({
    meta: { name: 'config', description: 'Show the configuration or change a setting' },
    args: argsDef,
    async run({ args }) {
      const settings = await readSettings(program)
      const name = requireOneProfile(args.profile ?? program.environment['SVC_PROFILE'] ?? settings.profile)
      const profile = settings.profiles[name] ?? {}
      if (args.unset === true && args.key === undefined)
        throw usageFailure('name the key to remove: svc config KEY --unset')
      if (args.unset === true && args.value !== undefined)
        throw usageFailure('a value and --unset cannot be combined')
      if (args.key === undefined) {
        show(program, { json: args.json === true, name, profile })
        return
      }
      const key = keyOf(args.key)
      if (args.unset === true || args.value !== undefined) {
        const { value } = args
        const stored = value === undefined ? undefined : await set(program, { name, profile, key, value })
        if (value === undefined) await changeProfile(program, name, { [key]: undefined })
        if (args.json === true) program.print(printableJson(stored ?? null))
      } else {
        const value = profile[key]
        if (args.json === true) program.print(printableJson(value ?? null))
        else if (value !== undefined) program.print(String(value))
        if (value === undefined) program.fail(1)
      }
    },
  })

function keyOf(input: string): SettingName {
  const key = settingNames.find((name) => name === input)
  if (key === undefined) throw usageFailure(`unknown key ${input}; known keys: ${settingNames.join(', ')}`)
  return key
}

/** A prefix of a token that identifies it. */
const masked = (token: string) => `${token.slice(0, 9)}…`

interface ShowOptions {
  readonly json: boolean
  readonly name: string
  readonly profile: Profile
}

function show(program: Program, { json, name, profile }: ShowOptions): void {
  const { token } = profile
  const values = { ...profile, ...(token !== undefined && { token: masked(token) }) }
  const file = settingsPath(program)
  if (json) program.print(printableJson({ file, profile: name, ...values }))
  else {
    const entries = Object.entries(values).map(([key, value]) => [key, String(value)] as const)
    for (const line of facts([['file', file], ['profile', name], ...entries])) program.print(line)
  }
}

interface Setting {
  readonly name: string
  readonly profile: Profile
  readonly key: SettingName
  readonly value: string
}

/**
 * A token belongs to the server that created it, so a new server removes it from the profile.
 * @returns the value as it is stored
 */
async function set(program: Program, { name, profile, key, value }: Setting): Promise<string | boolean> {
  const parsed = parse(key, value)
  const moved = key === 'server' && profile.server !== undefined && parsed !== serverAddress(profile.server)
  if (moved && profile.token !== undefined) program.printToStderr('removed the token of the previous server')
  await changeProfile(program, name, { [key]: parsed, ...(moved && { token: undefined }) })
  return key === 'token' ? masked(value) : parsed
}

function parse(key: SettingName, value: string): string | boolean {
  switch (key) {
    case 'server':
    case 'github':
      return serverAddress(value)
    case 'token':
      if (!isUserToken(value)) throw usageFailure('the token is invalid: a character is wrong or missing')
      return value
    case 'ttl':
      if (parseDuration(value) === undefined) throw usageFailure(`${value} is not a duration`)
      return value
    case 'oneshot':
    case 'removable':
    case 'insecure':
    case 'updates':
      if (!['true', 'false'].includes(value)) throw usageFailure(`${key} must be true or false`)
      return value === 'true'
  }
}
