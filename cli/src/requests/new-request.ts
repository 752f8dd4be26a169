import type { NewUploadRequest, UploadRequest } from '@svc/contract'
import type { Client } from '@svc/sdk'
import type { KeyPair } from '@svc/encryption'
import { printable, printableJson } from '@svc/terminal'
import { findTarget, requireServer } from '../config/target.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import { connect } from '../http/connect.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { lifetimeNote } from '../output/lifetime-note.ts'
import type { Program } from '../program/program.ts'
import { senderLink } from './open-request.ts'
import { rememberRequest, saveIdentity } from '../state/own-requests.ts'
import { parseNewRequest, requireTitle, type RequestArgs } from './request-args.ts'

/**
 * Creates a request and prints its link. Its private key is on the disk before anyone has the link.
 * @throws Failure, ApiError
 */
export async function newRequest(
  program: Program,
  args: RequestArgs,
  title: string | undefined,
): Promise<void> {
  const validTitle = requireTitle(title)
  const password = await passwordOf(program, args)
  const settings = parseNewRequest(validTitle, { ...args, password })
  const target = await requireServer(program, await findTarget(program, args))
  const client = connect(program, target, target.server)
  const keys = args.encrypt === false ? undefined : await makeKeys(client)
  const created = await client.createUploadRequest({
    ...settings,
    ...(keys !== undefined && { recipient: keys.recipient }),
  })
  const { id, requestToken = '' } = created
  const own = { server: target.server, id, requestToken, title: validTitle, recipient: keys?.recipient }
  const path = await keepOrRemove(client, own, async () => {
    requireRecipient(created, keys)
    const saved = keys === undefined ? undefined : await saveIdentity(program, own, keys)
    await rememberRequest(program, own)
    return saved
  })
  const url = await senderLink(own)
  if (args.json === true)
    program.print(printableJson({ ...created, url, ...(path !== undefined && { identityFile: path }) }))
  else program.print(url)
  reportLifetimes(program, settings, created)
  if (path !== undefined && args.quiet !== true)
    program.printToStderr(
      `Only the key in ${printable(path)} opens what you receive. Without it everything is lost: keep a copy ` +
        `elsewhere (svc request show ${id} --key prints it).`,
    )
}

/**
 * The password of the request. A request has no login, so a colon is part of the password.
 * @throws Failure
 */
async function passwordOf(program: Program, { password }: RequestArgs): Promise<string | undefined> {
  if (password !== '-') return password ?? program.environment['SVC_PASSWORD']
  if (!canAsk(program)) throw usageFailure('no terminal to ask for a password')
  const typedPassword = await ask(program, 'Password: ', 'hidden')
  if (typedPassword === '') throw usageFailure('the password is empty')
  return typedPassword
}

/** Reports each lifetime that the server has changed. */
function reportLifetimes(
  program: Program,
  { ttl, uploadTTL }: NewUploadRequest,
  created: UploadRequest,
): void {
  const { createdAt, expireAt } = created
  const lifetime = expireAt === null ? -1 : (Date.parse(expireAt) - Date.parse(createdAt)) / 1000
  const notes = [lifetimeNote('ttl', ttl, lifetime), lifetimeNote('upload-ttl', uploadTTL, created.uploadTTL)]
  for (const note of notes) if (note !== undefined) program.printToStderr(note)
}

/** @throws Failure where the server does not allow encryption */
async function makeKeys(client: Client): Promise<KeyPair> {
  const { feature_e2ee: encryption } = await client.configuration()
  if (encryption === 'disabled')
    throw new Failure('this server does not allow encryption; --no-encrypt asks for files without it')
  const { generateKeyPair } = await import('@svc/encryption')
  return generateKeyPair()
}

/** Refuses a request without its key: an older server may ignore the key, and senders would send plain files. */
function requireRecipient({ recipient }: UploadRequest, keys: KeyPair | undefined): void {
  if (recipient !== (keys?.recipient ?? ''))
    throw new Failure('the server has changed the key of the request')
}

/** Removes the request if its key or token cannot be saved: without them, no one could use it. */
async function keepOrRemove<Result>(
  client: Client,
  { id, requestToken }: { readonly id: string; readonly requestToken: string },
  keep: () => Promise<Result>,
): Promise<Result> {
  try {
    return await keep()
  } catch (error) {
    await client.removeUploadRequest(id, { requestToken }).catch(() => undefined)
    throw error
  }
}
