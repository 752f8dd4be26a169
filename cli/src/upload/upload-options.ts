import { ageScheme, type UploadOptions } from '@svc/contract'
import type { Credentials } from '@svc/sdk'
import { parseCredentials } from '../arguments/credentials.ts'
import type { GivenUpload } from '../arguments/upload.ts'
import { durationOption } from '../arguments/values.ts'
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
  { password: written }: GivenUpload,
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
  given: GivenUpload,
  recipients: readonly string[],
): Promise<ChosenKey | undefined> {
  if (given.encrypt !== true && given.passphrase === undefined && recipients.length === 0) return undefined
  const { chooseKey } = await import('../encryption/choose-key.ts')
  return chooseKey(program, { ...given, recipients })
}

interface Chosen {
  /** Seconds. */
  readonly ttl: number | undefined
  readonly downloads: number | undefined
  readonly credentials: Partial<Credentials>
  readonly chosenKey: ChosenKey | undefined
}

/** The options of an upload, with those of the profile where the command line has none. */
export function optionsFor(given: GivenUpload, profile: Profile, chosen: Chosen): UploadOptions {
  const ttl = chosen.ttl ?? durationOption('ttl', profile.ttl)
  const { downloads } = chosen
  // A number on the command line replaces the setting of the profile.
  const oneShot = given.oneshot ?? (downloads === undefined ? profile.oneshot : undefined)
  return {
    ...chosen.credentials,
    ...(ttl !== undefined && { ttl }),
    ...present('oneShot', oneShot),
    ...(downloads !== undefined && { maxDownloads: downloads }),
    ...present('removable', given.removable ?? profile.removable),
    ...present('stream', given.stream),
    ...present('extend_ttl', given['extend-ttl']),
    ...(chosen.chosenKey && { e2ee: ageScheme }),
    ...(given.alias !== undefined && { alias: given.alias }),
    ...(given.comments !== undefined && { comments: given.comments }),
  }
}

const present = <Name extends string>(name: Name, value: boolean | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, boolean>>
