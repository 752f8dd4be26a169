import { defaultUploadLogin, type Upload } from '@svc/contract'
import { ApiError, type Access, type Client, type Credentials } from '@svc/sdk'
import { parseCredentials } from '../arguments/credentials.ts'
import { findUploadServer, findUploadToken, readHistory, type HistoryEntry } from '../state/history.ts'
import { findTarget, requireServer, type ServerArgs, type Target } from '../config/target.ts'
import { printable } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { readRequests } from '../state/own-requests.ts'
import { parseLink, type UploadLink } from './parse-link.ts'

export interface AccessArgs extends ServerArgs {
  readonly password?: string | undefined
}

/** An upload that a link leads to. */
export interface OpenedLink {
  readonly link: UploadLink
  /** Address of the server. */
  readonly base: string
  readonly client: Client
  readonly access: Access
  /** The token of an upload that this computer made. With it, no password is checked. */
  readonly ownToken: string | undefined
  readonly target: Target
}

/**
 * Finds the server and the credentials of a link without a request. A bare id is one of the server that this computer sent
 * it to, unless the command or its environment names a server.
 * @throws Failure
 */
export async function openLink(program: Program, args: AccessArgs, input: string): Promise<OpenedLink> {
  const link = parseLink(input)
  const found = await findTarget(program, args)
  const history = await readableHistory(program)
  const known =
    link.base ?? (!found.isNamed ? findUploadServer(history, link.uploadID, found.server) : undefined)
  const target = known === undefined ? await requireServer(program, found) : found
  const base = known ?? target.server ?? ''
  const ownToken = findUploadToken(history, base, link.uploadID)
  const password = args.password ?? program.environment['SVC_PASSWORD']
  // A given password must be checked, which the token of this computer would prevent.
  const usedToken = args.password === undefined ? ownToken : undefined
  return {
    link,
    base,
    target,
    ownToken,
    client: connect(program, target, base),
    access: {
      uploadToken: link.uploadToken ?? usedToken,
      ...(password !== undefined && password !== '-' && { credentials: credentialsOf(password) }),
    },
  }
}

/** The history; empty if it cannot be read, because links of others need no history. */
async function readableHistory(program: Program): Promise<readonly HistoryEntry[]> {
  try {
    return await readHistory(program)
  } catch (error) {
    program.printToStderr(printable(errorMessage(error)))
    return []
  }
}

const credentialsOf = (input: string): Credentials => ({
  login: defaultUploadLogin,
  ...parseCredentials(input),
})

const protection = ({ credentials }: Access) =>
  credentials === undefined
    ? 'the upload is protected: use --password or SVC_PASSWORD'
    : `wrong password for the upload, or its login is not ${credentials.login}: use --password LOGIN:PASSWORD`

const attempts = 3

interface Loaded {
  readonly upload: Upload
  readonly access: Access
}

/**
 * Requests the upload from the server, and asks the user for its password if it has one. What a request of this computer has
 * received needs the token of the request.
 * @returns the upload with its credentials
 * @throws Failure, ApiError
 */
export async function loadUpload(program: Program, opened: OpenedLink): Promise<Loaded> {
  try {
    return await loadWithPassword(program, opened)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403 || opened.access.uploadToken !== undefined)
      throw error
    const loaded = await loadReceived(program, opened)
    if (loaded === undefined) throw error
    return loaded
  }
}

/** Tries the tokens of the requests of this computer, only at their server. */
async function loadReceived(
  program: Program,
  { client, link, base }: OpenedLink,
): Promise<Loaded | undefined> {
  for (const { server, requestToken } of await readRequests(program)) {
    if (server !== base) continue
    const access = { requestToken }
    try {
      return { upload: await client.upload(link.uploadID, access), access }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error
    }
  }
  return undefined
}

async function loadWithPassword(program: Program, opened: OpenedLink): Promise<Loaded> {
  let { access } = opened
  for (let count = 0; ; count += 1) {
    try {
      return { upload: await opened.client.upload(opened.link.uploadID, access), access }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (!canAsk(program) || count === attempts)
        throw new Failure(protection(access), exitCodes.refused, error)
      if (access.credentials !== undefined) program.printToStderr('wrong password')
      access = { ...access, credentials: credentialsOf(await ask(program, 'Password: ', 'hidden')) }
    }
  }
}
