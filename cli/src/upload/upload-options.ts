import { ageScheme, type UploadOptions } from '@svc/contract'
import type { Credentials } from '@svc/sdk'
import { parseCredentials } from '../arguments/credentials.ts'
import type { UploadArgs } from '../arguments/upload-args.ts'
import { parseDurationOption } from '../arguments/option-values.ts'
import type { Profile } from '../config/settings-file.ts'
import type { ChosenKey } from '../encryption/choose-key.ts'
import { usageFailure } from '../errors/failure.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'

/**
 * Login and password of a protected upload.
 * @throws Failure when the password is empty, which would protect nothing
 */
export async function credentialsOf(
  program: Program,
  { password: written }: UploadArgs,
): Promise<Partial<Credentials>> {
  if (written === undefined) return {}
  if (written === '-' && !canAsk(program)) throw usageFailure('no terminal to ask for a password')
  const credentials =
    written === '-' ? { password: await ask(program, 'Password: ', 'hidden') } : parseCredentials(written)
  if (credentials.password === '') throw usageFailure('the password is empty')
  return credentials
}

/** Loads the encryption only when needed: most uploads start without it. */
export async function keyFor(
  program: Program,
  args: UploadArgs,
  recipients: readonly string[],
): Promise<ChosenKey | undefined> {
  if (args.encrypt !== true && args.passphrase === undefined && recipients.length === 0) return undefined
  const { chooseKey } = await import('../encryption/choose-key.ts')
  return chooseKey(program, { ...args, recipients })
}

interface Chosen {
  /** Seconds. */
  readonly ttl: number | undefined
  readonly downloads: number | undefined
  readonly credentials: Partial<Credentials>
  readonly chosenKey: ChosenKey | undefined
}

/** The options of an upload, with those of the profile where the command line has none. */
export function optionsFor(args: UploadArgs, profile: Profile, chosen: Chosen): UploadOptions {
  const ttl = chosen.ttl ?? parseDurationOption('ttl', profile.ttl)
  const { downloads } = chosen
  // A number on the command line replaces the setting of the profile.
  const oneShot = args.oneshot ?? (downloads === undefined ? profile.oneshot : undefined)
  return {
    ...chosen.credentials,
    ...(ttl !== undefined && { ttl }),
    ...present('oneShot', oneShot),
    ...(downloads !== undefined && { maxDownloads: downloads }),
    ...present('removable', args.removable ?? profile.removable),
    ...present('stream', args.stream),
    ...present('extend_ttl', args['extend-ttl']),
    ...(chosen.chosenKey && { e2ee: ageScheme }),
    ...(args.alias !== undefined && { alias: args.alias }),
    ...(args.comments !== undefined && { comments: args.comments }),
  }
}

const present = <Name extends string>(name: Name, value: boolean | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, boolean>>
