import { withoutSlash } from '@svc/contract'
import { findTarget, type ServerArgs, type TargetWithServer } from '../config/target.ts'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'

/** The protocols of `--to`. */
const kinds = ['tus', 'put', 'plik'] as const

/** A server of `--to` that is not Svc. */
export interface Destination {
  readonly kind: (typeof kinds)[number]
  /** Without a login and a fragment. */
  readonly url: URL
  /** Of an address such as `tus+https://LOGIN:PASSWORD@HOST/`. */
  readonly credentials?: { readonly login: string; readonly password: string }
}

/**
 * Reads an address such as `tus+https://HOST/files/`.
 * @throws Failure
 */
export function parseDestination(input: string): Destination {
  const [, scheme, rest = ''] = /^(\w+)\+(https?:\/\/.+)$/i.exec(input.trim()) ?? []
  const kind = kinds.find((name) => name === scheme?.toLowerCase())
  const url = URL.parse(rest)
  if (kind === undefined || url === null)
    throw usageFailure(
      `--to must be an address such as tus+https://HOST/files/, put+https://HOST/ or plik+https://HOST; not ${input}`,
    )
  const { username, password } = url
  url.hash = url.username = url.password = ''
  if (username === '' && password === '') return { kind, url }
  return {
    kind,
    url,
    credentials: { login: decodeURIComponent(username), password: decodeURIComponent(password) },
  }
}

/**
 * The target of an upload to such a server. The tokens of the environment and of the profile belong to Svc, so only that of the
 * command line goes there.
 * @throws Failure
 */
export async function foreignTarget(
  program: Program,
  { kind, url }: Destination,
  { token, profile, insecure, quiet, json }: ServerArgs,
): Promise<TargetWithServer> {
  const found = await findTarget(program, { profile, insecure, quiet, json })
  const server = url.origin + withoutSlash(url.pathname)
  return { ...found, profile: {}, server, token, service: kind === 'plik' ? 'plik' : 'svc' }
}
