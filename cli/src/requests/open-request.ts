import { defaultUploadLogin, withoutSlash } from '@svc/contract'
import { ApiError, createLinks, type Access, type Client } from '@svc/sdk'
import { findTarget, requireServer, type ServerArgs, type Target } from '../config/target.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { connect } from '../http/connect.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import { readRequests, type OwnRequest } from '../state/own-requests.ts'
import { parseRequestLink } from '../links/parse-request-link.ts'
import type { RequestLink } from '../links/request-link.ts'

/** An upload request that a link leads to. */
export interface OpenedRequest {
  readonly link: RequestLink
  /** Address of the server. */
  readonly base: string
  readonly client: Client
  /** What this computer knows of it, if it made it. */
  readonly own: OwnRequest | undefined
  /** The access of its owner; a sender's has at most a password. */
  readonly access: Access
  readonly target: Target
}

/**
 * Finds the server and the credentials of a link, without a request.
 * @throws Failure
 */
export async function openRequestLink(
  program: Program,
  args: ServerArgs,
  input: string,
): Promise<OpenedRequest> {
  const link = parseRequestLink(input)
  const requests = await readRequests(program)
  const found = await findTarget(program, args)
  const named = link.base ?? (found.isNamed ? found.server : undefined)
  const isOwn = ({ server, id }: OwnRequest) =>
    id === link.requestID && (named === undefined || server === named)
  const own = requests.find(isOwn)
  const known = link.base ?? own?.server
  const target = known === undefined ? await requireServer(program, found) : found
  const base = known ?? withoutSlash(target.server ?? '')
  return {
    link,
    base,
    client: connect(program, target, base),
    own,
    access: own === undefined ? {} : { requestToken: own.requestToken },
    target,
  }
}

/** The link for senders, with the fingerprint of the recipient that this computer made. */
export async function senderLink({
  server,
  id,
  recipient,
}: Omit<OwnRequest, 'requestToken' | 'title'>): Promise<string> {
  const { requestURL } = createLinks(server)
  if (recipient === undefined) return requestURL({ id })
  const { fingerprintOf } = await import('@svc/encryption')
  return requestURL({ id }, await fingerprintOf(recipient))
}

const attempts = 3

/**
 * Calls the server as a sender, and asks the user for the password of the request if it has one.
 * @throws Failure, ApiError
 */
export async function asSender<Result>(
  program: Program,
  password: string | undefined,
  call: (access: Access) => Promise<Result>,
): Promise<{ readonly result: Result; readonly access: Access }> {
  let access: Access = password === undefined ? {} : withPassword(password)
  for (let count = 0; ; count += 1) {
    try {
      return { result: await call(access), access }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (!canAsk(program) || count === attempts)
        throw new Failure(
          access.credentials === undefined
            ? 'the request is protected: use --password or SVC_PASSWORD'
            : 'wrong password for the request',
          exitCodes.refused,
          error,
        )
      if (access.credentials !== undefined) program.printToStderr('wrong password')
      access = withPassword(await ask(program, 'Password: ', 'hidden'))
    }
  }
}

const withPassword = (password: string): Access => ({ credentials: { login: defaultUploadLogin, password } })
