import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** An error of the operating system, as Node reports it. */
interface SystemError extends Error {
  readonly code: string
  readonly syscall: string
  readonly path?: string
  readonly address?: string
  readonly port?: number
}

type Explanation = (error: SystemError) => string

const endpointOf = ({ address = '', port }: SystemError) =>
  port === undefined ? address : `${address}:${String(port)}`

const isOfNetwork = ({ syscall }: SystemError) => syscall === 'listen' || syscall === 'bind'

const explainDenied: Explanation = (error) =>
  isOfNetwork(error)
    ? `no permission to listen on ${endpointOf(error)}: choose a port above 1023, or give svcd the capability CAP_NET_BIND_SERVICE`
    : `no permission for ${error.path ?? 'a file'}: run svcd as the user that owns it, or give this user the right`

const full: Explanation = ({ path }) =>
  `the disk has no space left${path === undefined ? '' : ` for ${path}`}: free some space, or use another disk`

const missing: Explanation = ({ path = 'a file', syscall }) => {
  // On a read-only file system, Node reports a missing directory.
  if (syscall === 'mkdir') return `${path} cannot be created: is its file system read-only?`
  const folder = dirname(path)
  return existsSync(folder)
    ? `${path} does not exist`
    : `the directory ${folder} does not exist: create it first`
}

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: (error) =>
    `another program listens on ${endpointOf(error)}: stop it, or choose another port (ListenPort, MetricsPort, InstanceURL)`,
  EADDRNOTAVAIL: (error) =>
    `this machine does not have the address of ${endpointOf(error)}: choose one that it has, or 0.0.0.0 for all (ListenAddress, MetricsAddress)`,
  EACCES: explainDenied,
  EPERM: explainDenied,
  ENOSPC: full,
  EDQUOT: full,
  EROFS: ({ path = 'a file' }) =>
    `${path} is on a read-only file system: mount it for writing, or choose another place`,
  ENOENT: missing,
}

/**
 * Explains an error of the operating system, and what to do about it. The code remains, for searches and bug reports.
 * @returns undefined for other errors
 */
export function explainSystemError(error: Error): string | undefined {
  if (!isSystemError(error)) return undefined
  const explain = Object.hasOwn(explanations, error.code) ? explanations[error.code] : undefined
  return explain && `${explain(error)} (${error.code})`
}

const isSystemError = (error: Error): error is SystemError =>
  'code' in error && typeof error.code === 'string' && 'syscall' in error && typeof error.syscall === 'string'
