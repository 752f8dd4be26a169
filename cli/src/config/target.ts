import { isUserToken } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { serverAddress } from './server-address.ts'
import { changeProfile, readSettings, settingsPath, type Profile, type Settings } from './settings-file.ts'

/** The server options of a command line, and those of its output. */
export interface ServerArgs {
  readonly server?: string | undefined
  readonly token?: string | undefined
  readonly profile?: string | undefined
  readonly insecure?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly json?: boolean | undefined
}

export interface TargetOptions {
  /** Whether the profile may be one that does not exist yet, which the command creates. */
  readonly mayCreateProfile?: boolean
}

/** The server and the settings of its requests. */
export interface Target {
  /** Undefined where none is configured. Without a trailing slash. */
  readonly server: string | undefined
  /** Whether the command line or the environment names the server, and not only the settings. */
  readonly isNamed: boolean
  /** Only sent to `server`. */
  readonly token: string | undefined
  readonly insecure: boolean
  /** Whether nothing but the result is printed. */
  readonly isQuiet: boolean
  /** The kind of the server, if it is not Svc. */
  readonly service?: 'svc' | 'plik'
  readonly profileName: string
  readonly profile: Profile
}

const variable = ({ environment }: Program, name: string) => {
  const value = environment[name]
  return value === '' ? undefined : value
}

const isOn = (value: string | undefined) => value !== undefined && ['1', 'true', 'yes'].includes(value)

/**
 * Arguments have priority over `SVC_*` variables, and those over the configuration file. A token of the file is only used with
 * the server of the same profile.
 * @throws Failure
 */
export async function findTarget(
  program: Program,
  args: ServerArgs,
  { mayCreateProfile = isNew(args) }: TargetOptions = {},
): Promise<Target> {
  const settings = await readSettings(program)
  const named = args.profile ?? variable(program, 'SVC_PROFILE')
  const profileName = named ?? settings.profile
  const profile = composed(program, settings, profileName, named === undefined || mayCreateProfile)
  const own = profile?.server === undefined ? undefined : serverAddress(profile.server)
  const requestedServer = args.server ?? variable(program, 'SVC_SERVER')
  const server = requestedServer === undefined ? own : serverAddress(requestedServer)
  const token = args.token ?? variable(program, 'SVC_TOKEN') ?? (server === own ? profile?.token : undefined)
  if (token !== undefined && !isUserToken(token))
    throw usageFailure('the token is invalid: a character is wrong or missing')
  return {
    server,
    isNamed: requestedServer !== undefined || (named !== undefined && own !== undefined),
    token,
    insecure: args.insecure ?? (isOn(variable(program, 'SVC_INSECURE')) || (profile?.insecure ?? false)),
    isQuiet: args.quiet === true || args.json === true,
    profileName,
    profile: profile ?? {},
  }
}

/**
 * The settings of profiles such as `work,short`, of which later ones win.
 * @throws Failure
 */
function composed(
  program: Program,
  { profiles }: Settings,
  written: string,
  mayBeNew: boolean,
): Profile | undefined {
  const names = written.split(',').map((name) => name.trim())
  const [only = ''] = names
  if (names.length === 1 && mayBeNew) return profiles[only]
  return names.reduce<Profile>((all, name) => {
    const next = profiles[name]
    if (next === undefined) throw usageFailure(`no profile ${name} in ${settingsPath(program)}`)
    // A token only goes to the server of its profile.
    const { token, ...others } = all
    const isMoved = next.server !== undefined && next.server !== all.server
    return { ...others, ...(token !== undefined && !isMoved && { token }), ...next }
  }, {})
}

/**
 * The name of a profile that a command changes.
 * @throws Failure for several ones
 */
export function requireOneProfile(name: string): string {
  if (name.includes(',')) throw usageFailure(`name one profile, not ${name}`)
  return name
}

/** A new profile is allowed together with its server. */
const isNew = ({ server }: ServerArgs) => server !== undefined

export type TargetWithServer = Target & { readonly server: string }

/**
 * The target with a server. Without a configured one it asks the user, if there is a terminal, and saves it.
 * @throws Failure
 */
export async function requireServer(program: Program, target: Target): Promise<TargetWithServer> {
  const chosen = await chooseServer(program, target)
  if (target.server === undefined) {
    await changeProfile(program, requireOneProfile(target.profileName), { server: chosen.server })
    program.printToStderr(`Saved in ${settingsPath(program)}`)
  }
  return chosen
}

/**
 * Like `requireServer`, but saves nothing.
 * @throws Failure
 */
export async function chooseServer(program: Program, target: Target): Promise<TargetWithServer> {
  if (target.server !== undefined) return { ...target, server: target.server }
  if (!canAsk(program))
    throw usageFailure('no server is configured: use --server URL, SVC_SERVER, or svc config server URL')
  program.printToStderr('No server is configured yet. Enter its address, for example https://svc.example.org')
  return { ...target, server: serverAddress(await ask(program, 'Server: ')) }
}
