import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { nearestExisting } from '../../platform/nearest-existing.ts'

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

const readOnly: Explanation = ({ path = 'a file' }) =>
  `${path} is on a read-only file system: mount it for writing, or choose another place`

const missing: Explanation = ({ path = 'a file' }) => {
  const folder = dirname(path)
  return existsSync(folder)
    ? `${path} does not exist`
    : `the directory ${folder} does not exist: create it first`
}

const notFile: Explanation = ({ path = 'a path' }) => `${path} is a directory: name a file`

const notDirectory: Explanation = ({ path = 'a path' }) =>
  `a part of the path ${path} is not a directory: choose another place`

const closedOutput: Explanation = () => 'the output was closed before everything was written'

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: (error) =>
    `another program listens on ${endpointOf(error)}: stop it, or choose another port (ListenPort, MetricsPort, InstanceURL)`,
  EADDRNOTAVAIL: (error) =>
    `this machine does not have the address of ${endpointOf(error)}: choose one that it has, or 0.0.0.0 for all (ListenAddress, MetricsAddress)`,
  EACCES: explainDenied,
  EPERM: explainDenied,
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  ENOENT: missing,
  EISDIR: notFile,
  ENOTDIR: notDirectory,
  EPIPE: closedOutput,
}

/**
 * Explains an error of the operating system, and what to do about it. The code remains, for searches and bug reports.
 * @returns undefined for other errors
 */
export function explainSystemError(failure: Error): string | undefined {
  if (!isSystemError(failure)) return undefined
  const error = isUncreated(failure) ? causeOfUncreated(failure) : failure
  const explain = Object.hasOwn(explanations, error.code) ? explanations[error.code] : undefined
  return explain && `${explain(error)} (${error.code})`
}

const isSystemError = (error: Error): error is SystemError =>
  'code' in error && typeof error.code === 'string' && 'syscall' in error && typeof error.syscall === 'string'

/** Node reports a directory that cannot be created as missing for any reason. */
const isUncreated = ({ code, syscall, path }: SystemError): boolean =>
  code === 'ENOENT' && syscall === 'mkdir' && path !== undefined

/** The error with the reason, which the nearest folder that exists has. */
function causeOfUncreated(error: SystemError): SystemError {
  const { path = '' } = error
  try {
    accessSync(nearestExisting(dirname(path)), constants.W_OK | constants.X_OK)
    return error
  } catch (cause) {
    return cause instanceof Error && isSystemError(cause) ? Object.assign(cause, { path }) : error
  }
}
