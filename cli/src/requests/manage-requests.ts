import { readFile } from 'node:fs/promises'
import type { UploadRequest } from '@svc/contract'
import { ApiError, createLinks, type Access, type Client } from '@svc/sdk'
import { facts, printable, printableJson, roughSize, table, type Column } from '@svc/terminal'
import { findTarget } from '../config/target.ts'
import { localFailure, Failure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import { allPages } from '../http/all-pages.ts'
import { connect } from '../http/connect.ts'
import { canAsk, confirm } from '../interactive/ask.ts'
import { counted } from '../output/counted.ts'
import { roughDuration, roughExpiry } from '../output/rough-duration.ts'
import type { Program } from '../program/program.ts'
import { openRequestLink, senderLink } from './open-request.ts'
import { forgetRequest, identityPath, readRequests } from '../state/own-requests.ts'
import type { RequestArgs } from './request-args.ts'

/** A request with its link. */
type Listed = UploadRequest & { readonly url: string }

const stateOf = ({ open, closed }: UploadRequest): string => (open ? 'open' : closed ? 'closed' : 'ended')

const columns = ({ clock }: Program): readonly Column<Listed>[] => [
  ['TITLE', ({ title }) => title],
  ['STATE', stateOf],
  ['NEW', ({ unseen }) => String(unseen)],
  ['UPLOADS', ({ uploads }) => String(uploads)],
  ['SIZE', ({ size }) => roughSize(size)],
  ['ENDS', ({ expireAt }) => roughExpiry(expireAt, clock.now())],
  ['LINK', ({ url }) => url],
]

/** Prints the requests of this computer, and those of the account if there is one. */
export async function listRequests(program: Program, args: RequestArgs): Promise<void> {
  const requests = [...(await ownRequests(program, args)), ...(await accountRequests(program, args))]
  const distinct = [...new Map(requests.map((request) => [request.id, request])).values()]
  if (args.json === true) program.print(printableJson(distinct))
  else if (args.quiet === true) for (const { url } of distinct) program.print(url)
  else if (distinct.length === 0)
    program.printToStderr('no upload requests: svc request new "Title" asks others for files')
  else for (const line of table(columns(program), distinct)) program.print(line)
}

async function accountRequests(program: Program, args: RequestArgs): Promise<Listed[]> {
  const target = await findTarget(program, args)
  const { server } = target
  if (server === undefined || target.token === undefined) return []
  const client = connect(program, target, server)
  const own = new Map((await readRequests(program)).map((request) => [request.id, request]))
  const requests = await allPages((next) => client.uploadRequests({ limit: 100, ...next }))
  return Promise.all(
    requests.map(async (request) => {
      // Only this computer knows which recipient it has made.
      const recipient = own.get(request.id)?.recipient
      return { ...request, url: await senderLink({ server, id: request.id, recipient }) }
    }),
  )
}

async function ownRequests(program: Program, args: RequestArgs): Promise<Listed[]> {
  const target = await findTarget(program, args)
  const found: Listed[] = []
  for (const own of await readRequests(program)) {
    const { server, id, requestToken } = own
    if (args.server !== undefined && server !== target.server) continue
    try {
      const request = await connect(program, target, server).uploadRequest(id, { requestToken })
      found.push({ ...request, url: await senderLink(own) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'request_not_found') await forgetRequest(program, own)
      else
        program.printToStderr(`${createLinks(server).requestURL({ id })}: ${printable(errorMessage(error))}`)
    }
  }
  return found
}

/** Prints a request, or its private key. */
export async function showRequest(program: Program, args: RequestArgs, what: string): Promise<void> {
  const opened = await openRequestLink(program, args, what)
  if (args.key === true) {
    const { requestID } = opened.link
    const identity = await identityOf(program, requestID)
    const identityFile = identityPath(program, requestID)
    program.print(args.json === true ? printableJson({ id: requestID, identityFile, identity }) : identity)
    return
  }
  const { client, link, access, own } = opened
  const request = await client.uploadRequest(link.requestID, access)
  const url = await senderLink(own ?? { server: opened.base, id: request.id })
  if (args.json === true) program.print(printableJson({ ...request, url }))
  else {
    const maxFileSize = await actualFileSize(client, request, access)
    for (const line of described(program, { ...request, url }, maxFileSize)) program.print(line)
  }
}

async function identityOf(program: Program, id: string): Promise<string> {
  const path = identityPath(program, id)
  try {
    return (await readFile(path, 'utf8')).trimEnd()
  } catch (error) {
    throw localFailure(`${path}: ${errorMessage(error)}`, error)
  }
}

const limit = (value: number, format: (value: number) => string) => (value < 0 ? 'no limit' : format(value))

/** The maximum size of a file in bytes, by the limits of the request, the server and the owner; -1 for no limit. */
async function actualFileSize(client: Client, request: UploadRequest, access: Access): Promise<number> {
  const { id, open, protectedByPassword, maxFileSize } = request
  // What senders see includes the owner's limits, but it needs the password, and ends with the request.
  if (open && !protectedByPassword) return (await client.openUploadRequest(id, access)).maxFileSize
  const { maxFileSize: most } = await client.configuration()
  const limits = [maxFileSize, most].filter((size) => size >= 0)
  return limits.length === 0 ? -1 : Math.min(...limits)
}

function described({ clock }: Program, request: Listed, maxFileSize: number): string[] {
  const { expireAt, extensions, message, recipient } = request
  const remaining = roughExpiry(expireAt, clock.now())
  return facts([
    ['request', request.id],
    ['title', request.title],
    ['link', request.url],
    ['state', stateOf(request)],
    ['ends', expireAt === null ? remaining : `${remaining} (${expireAt})`],
    [
      'received',
      `${counted(request.uploads, 'upload')}, ${counted(request.files, 'file')}, ${roughSize(request.size)}`,
    ],
    ['new', String(request.unseen)],
    ['most files', limit(request.maxFiles, String)],
    ['most bytes', limit(request.maxSize, roughSize)],
    [
      'largest file',
      limit(maxFileSize, roughSize) + (maxFileSize === request.maxFileSize ? '' : ' (limit of the server)'),
    ],
    ...(extensions.length > 0 ? ([['extensions', extensions.join(', ')]] as const) : []),
    ['senders', request.oneSender ? 'one' : 'any number'],
    ['names of senders', request.senderName],
    ['kept for', limit(request.uploadTTL, roughDuration)],
    ['after the end', request.afterEnd],
    ...(request.protectedByPassword ? ([['password', 'yes']] as const) : []),
    ['encrypted', recipient === '' ? 'no' : `for ${recipient}`],
    ...(message === '' ? [] : ([['message', message]] as const)),
  ])
}

/** Closes a request, or opens it again. */
export async function setClosed(
  program: Program,
  args: RequestArgs,
  what: string,
  closed: boolean,
): Promise<void> {
  const { client, link, access, own, base } = await openRequestLink(program, args, what)
  const request = await client.updateUploadRequest(link.requestID, { closed }, access)
  const url = await senderLink(own ?? { server: base, id: request.id })
  if (args.json === true) program.print(printableJson({ ...request, url }))
  else if (args.quiet !== true) program.print(`${closed ? 'closed' : 'opened'} ${printable(request.title)}`)
}

/** Removes a request with all that it has received. */
export async function removeRequest(program: Program, args: RequestArgs, what: string): Promise<void> {
  const { client, link, access, base, own } = await openRequestLink(program, args, what)
  const id = link.requestID
  if (
    args.yes !== true &&
    canAsk(program) &&
    !(await confirm(program, `Delete request ${id} and all that it has received?`))
  )
    throw new Failure('nothing was deleted')
  try {
    await client.removeUploadRequest(id, access)
  } finally {
    // A request that the server does not have any more is forgotten, too.
    if (own !== undefined && !(await isOnServer())) await forgetRequest(program, { server: base, id })
  }
  if (args.json === true) program.print(printableJson({ removed: { request: id } }))
  else if (args.quiet !== true) program.print(`deleted request ${id}`)
  if (own?.recipient !== undefined && args.quiet !== true)
    program.printToStderr(`its key stays in ${printable(identityPath(program, id))}`)

  async function isOnServer(): Promise<boolean> {
    try {
      await client.uploadRequest(id, access)
      return true
    } catch (error) {
      return !(error instanceof ApiError && error.code === 'request_not_found')
    }
  }
}
