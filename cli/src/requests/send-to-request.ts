import { ageScheme, isAllowedExtension, type OpenUploadRequest } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { printable, roughSize } from '@svc/terminal'
import type { ChosenLock } from '../encryption/lock.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure, localFailure, usageFailure } from '../errors/failure.ts'
import type { Item } from '../files/item.ts'
import { canAsk, ask } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import type { UnfinishedUpload } from '../unfinished/unfinished-upload.ts'
import { continueUpload, createUpload } from '../upload/begin-upload.ts'
import { collect, itemsOf } from '../upload/files/collect.ts'
import type { Encryption } from '../upload/encryption.ts'
import { findBegun, recordOf, type UploadCommand } from '../upload/upload-command.ts'
import { asSender, openRequestLink, type OpenedRequest } from './open-request.ts'
import type { GivenSend } from './send-arguments.ts'
import { sendFiles, type GivenTransfer, type NamedItem } from './send-files.ts'

/**
 * Sends files to an upload request, and prints what has arrived.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendToRequest(
  program: Program,
  given: GivenSend,
  written: string,
  paths: readonly string[],
): Promise<void> {
  const opened = await openRequestLink(program, given, written)
  const command = commandOf(program, given, opened, paths)
  // Without a look at the request, which may be full with this upload.
  const begun = await findBegun(program, opened.base, command)
  if (begun !== undefined && (await resumeSending(program, given, { ...opened, unfinished: begun }))) return
  await sendNew(program, given, { opened, command })
}

const commandOf = (
  { directory }: Program,
  { name, sender, comments }: GivenSend,
  { link }: OpenedRequest,
  paths: readonly string[],
): UploadCommand => ({
  directory,
  paths,
  name,
  options: { ...(comments !== undefined && { comments }) },
  lock: undefined,
  recipients: [],
  request: { id: link.requestID, fingerprint: link.fingerprint, sender },
})

async function sendNew(
  program: Program,
  given: GivenSend,
  { opened, command }: { readonly opened: OpenedRequest; readonly command: UploadCommand },
): Promise<void> {
  const { client, link, base, target } = opened
  const password = given.password ?? program.environment['SVC_PASSWORD']
  const { result: request, access } = await asSender(program, password, (as) =>
    client.openUploadRequest(link.requestID, as),
  )
  await requireRecipient(program, opened, request)
  if (!request.open) throw new Failure('the request is closed, or has received all that it accepts')
  const items = await itemsFor(program, given, command)
  for (const item of items) checkItem(item, request)
  const sender = await senderName(program, given, request)
  const { comments } = given
  const { recipient } = request
  const encryption = await encryptionFor(program, recipient)
  const asUpload: Client = {
    ...client,
    createUpload: (options) =>
      client.sendToUploadRequest(
        link.requestID,
        {
          ...(sender !== undefined && { sender }),
          ...(comments !== undefined && { comments }),
          ...(options?.files && { files: options.files }),
        },
        access,
      ),
  }
  const options = encryption === undefined ? {} : { e2ee: ageScheme }
  const recorded = { ...command, lock: encryption?.lock, recipients: recipient === '' ? [] : [recipient] }
  try {
    await sendFiles(program, given, {
      client: asUpload,
      server: base,
      named: await sealedItems(items, encryption),
      encryption,
      begin: (beginning) =>
        createUpload(program, beginning, options, (upload) =>
          recordOf({ ...target, server: base }, upload, recorded, items),
        ),
    })
  } finally {
    await encryption?.close()
  }
}

interface Resuming extends Pick<OpenedRequest, 'client' | 'base'> {
  readonly unfinished: UnfinishedUpload
}

/**
 * Resumes sending files to a request.
 * @returns whether the server still has the upload
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function resumeSending(
  program: Program,
  given: GivenTransfer & Pick<GivenSend, 'yes'>,
  { client, base, unfinished }: Resuming,
): Promise<boolean> {
  const { encryption: saved, files } = unfinished
  const items = await itemsFor(program, given, unfinished)
  const encryption = await encryptionFor(
    program,
    saved?.kind === 'recipients' ? (saved.recipients[0] ?? '') : '',
  )
  const known = Map.groupBy(files, ({ name, localName = name }) => localName)
  const sealed = new Map([...known].map(([name, there]) => [name, there.map((file) => file.name)]))
  try {
    return await sendFiles(program, given, {
      client,
      server: base,
      named: await sealedItems(items, encryption, sealed),
      encryption,
      begin: (beginning) => continueUpload(program, beginning, unfinished),
    })
  } finally {
    await encryption?.close()
  }
}

/**
 * Compares the recipient that the server names with the fingerprint in the link.
 * @throws Failure, before anything is sent
 */
async function requireRecipient(
  program: Program,
  { link }: OpenedRequest,
  { recipient }: OpenUploadRequest,
): Promise<void> {
  if (link.fingerprint === undefined) {
    if (recipient !== '')
      program.printToStderr(
        'warning: the link has no fingerprint (&key=…), so that nothing shows whether the server names the key of the recipient',
      )
    return
  }
  const { fingerprintOf } = await import('@svc/encryption')
  if (recipient !== '' && (await fingerprintOf(recipient)) === link.fingerprint) return
  throw new Failure(
    recipient === ''
      ? 'NOTHING WAS SENT: the link asks for encryption, and the server does not. Someone may have changed the request; ask its owner'
      : 'NOTHING WAS SENT: the server names another key than the link. Someone may want to read your files; ask the owner of the request',
    exitCodes.locked,
  )
}

async function itemsFor(
  program: Program,
  given: Pick<GivenSend, 'quiet' | 'yes'>,
  { directory, paths, name }: Pick<UnfinishedUpload, 'directory' | 'paths' | 'name'>,
): Promise<readonly Item[]> {
  const found = await collect(program, paths, { directory, name, kinds: 'files' })
  for (const { path, reason, kind } of found.problems)
    if (kind !== 'note' || given.quiet !== true)
      program.printToStderr(`${printable(path)}: ${printable(reason)}`)
  const items = itemsOf(found)
  if (items.length === 0) throw localFailure('there is nothing to send')
  if (found.problems.some(({ kind }) => kind === 'failed') && given.yes !== true)
    throw localFailure('not all files can be sent; --yes sends the others')
  return items
}

/** What the server would refuse, or cannot see because names are encrypted. */
function checkItem({ name, size = 0 }: Item, { extensions, maxFileSize }: OpenUploadRequest): void {
  if (!isAllowedExtension(name, extensions))
    throw usageFailure(`${name}: the request accepts only ${extensions.map((one) => `.${one}`).join(', ')}`)
  if (maxFileSize >= 0 && size > maxFileSize)
    throw usageFailure(`${name}: the request accepts files up to ${roughSize(maxFileSize)}`)
}

async function senderName(
  program: Program,
  { sender }: GivenSend,
  { senderName: asked }: OpenUploadRequest,
): Promise<string | undefined> {
  if (asked === 'none' || sender !== undefined || asked === 'optional') return sender
  if (!canAsk(program)) throw usageFailure('the request asks for your name: use --sender NAME')
  return ask(program, 'Your name: ')
}

async function encryptionFor(program: Program, recipient: string): Promise<Encryption | undefined> {
  if (recipient === '') return undefined
  const { startEncryption } = await import('../upload/encryption.ts')
  const lock: ChosenLock = {
    lock: { recipients: [recipient] },
    generated: false,
    recipients: [{ recipient, kind: 'age' }],
  }
  return startEncryption(program, lock, undefined)
}

/** @param known the names that an earlier run has encrypted, by those here: the server knows the files by them */
async function sealedItems(
  items: readonly Item[],
  encryption: Encryption | undefined,
  known: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<readonly NamedItem[]> {
  if (encryption === undefined) return items.map((item) => ({ item, name: item.name }))
  const { createPlainEngine, sealName } = await import('@svc/encryption')
  const engine = createPlainEngine()
  const named: NamedItem[] = []
  const left = new Map([...known].map(([name, sealed]) => [name, [...sealed]]))
  for (const item of items) {
    const sealed = left.get(item.name)?.shift() ?? (await sealName(item.name, encryption.lock.lock, engine))
    named.push({ item: { ...item, name: sealed }, name: item.name })
  }
  return named
}
