import type { UploadArgs } from '../arguments/upload-args.ts'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import type { Destination } from './destination.ts'

/** Options of an upload to Svc that other servers do not have. */
const ofSvc = ['removable', 'stream', 'extend-ttl', 'password', 'comments', 'alias', 'mail'] as const
/** Options that transfer.sh has. */
const ofTransfer = ['oneshot', 'downloads', 'ttl'] as const

/**
 * Refuses options that the server would ignore: a file that shall be downloaded once must not stay.
 * @throws Failure
 */
export function requireSupported(program: Program, { kind }: Destination, args: UploadArgs): void {
  const refused = [...ofSvc, ...(kind === 'tus' ? ofTransfer : [])].find((name) => args[name] !== undefined)
  if (refused !== undefined) throw usageFailure(`--${refused} cannot be used with --to ${kind}+…`)
  if (args.link === 'page') throw usageFailure('--link page cannot be used with --to: there is no page')
  const usedOptions = ofTransfer.filter((name) => args[name] !== undefined)
  if (usedOptions.length > 0)
    program.printToStderr(
      `--${usedOptions.join(', --')}: transfer.sh applies it; other servers may ignore it`,
    )
}

const secondsOfDay = 86_400

/** Headers of every request: credentials, and the options of transfer.sh. */
export function foreignHeaders(
  { kind, credentials }: Destination,
  { oneshot, token }: UploadArgs,
  { ttl, downloads }: { readonly ttl: number | undefined; readonly downloads: number | undefined },
): Readonly<Record<string, string>> {
  const basic = credentials && Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64')
  const authorization = basic === undefined ? token && `Bearer ${token}` : `Basic ${basic}`
  const count = oneshot === true ? 1 : downloads
  return {
    ...(authorization !== undefined && { authorization }),
    ...(kind === 'put' && count !== undefined && { 'max-downloads': String(count) }),
    ...(kind === 'put' &&
      ttl !== undefined &&
      ttl > 0 && { 'max-days': String(Math.ceil(ttl / secondsOfDay)) }),
  }
}
