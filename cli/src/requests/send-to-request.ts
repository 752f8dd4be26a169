import { ageScheme, isAllowedExtension, type OpenUploadRequest } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { printable, roughSize } from '@svc/terminal'
import type { ChosenKey } from '../encryption/choose-key.ts'
import { isInvalidKey } from '../errors/encryption-errors.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure, localFailure, usageFailure } from '../errors/failure.ts'
import type { Item, Problem } from '../files/item.ts'
import { canAsk, ask } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import type { UnfinishedUpload } from '../state/unfinished/unfinished-upload.ts'
import { continueUpload, createUpload } from '../upload/begin-upload.ts'
import { collect, itemsOf } from '../upload/files/collect.ts'
import type { Encryption } from '../upload/encryption.ts'
import { sentSize } from '../upload/sending/send-file.ts'
import { findBegun, recordOf, type UploadCommand } from '../upload/upload-command.ts'
import { asSender, openRequestLink, type OpenedRequest } from './open-request.ts'
import type { SendArgs } from './send-args.ts'
import { sendFiles, type SendTransferArgs, type NamedItem } from './send-files.ts'

/**
 * Sends files to an upload request, and prints what has arrived.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendToRequest(
  program: Program,
  args: SendArgs,
  input: string,
  paths: readonly string[],
): Promise<void> {
  const opened = await openRequestLink(program, args, input)
  const command = commandOf(program, args, opened, paths)
  // Without a look at the request, which may be full with this upload.
  const begun = await findBegun(program, opened.base, command)
  if (begun !== undefined && (await resumeSending(program, args, { ...opened, unfinished: begun }))) return
  await sendNew(program, args, { opened, command })
}

const commandOf = (
  { directory }: Program,
  { name, sender, comments }: SendArgs,
  { link }: OpenedRequest,
  paths: readonly string[],
): UploadCommand => ({
  directory,
  paths,
  name,
  options: { ...(comments !== undefined && { comments }) },
  chosenKey: undefined,
  recipients: [],
  request: { id: link.requestID, fingerprint: link.fingerprint, sender },
})

async function sendNew(
  program: Program,
  args: SendArgs,
  { opened, command }: { readonly opened: OpenedRequest; readonly command: UploadCommand },
): Promise<void> {
  const { client, link, base, target } = opened
  // `-` asks, once the server wants a password.
  const password = args.password === '-' ? undefined : (args.password ?? program.environment['SVC_PASSWORD'])
  const { result: request, access } = await asSender(program, password, (as) =>
    client.openUploadRequest(link.requestID, as),
  )
  await requireRecipient(program, opened, request)
  if (!request.open) throw new Failure('the request is closed, or has received all that it accepts')
  const collected = await itemsFor(program, args, command)
  const { comments } = args
  const { recipient } = request
  const encryption = await encryptionFor(program, recipient)
  try {
    const { items, problems, refused } = selectAccepted(program, args, collected, { request, encryption })
    const sender = await senderName(program, args, request)
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
    const recorded = {
      ...command,
      chosenKey: encryption?.chosenKey,
      recipients: recipient === '' ? [] : [recipient],
    }
    await sendFiles(program, args, {
      client: asUpload,
      server: base,
      named: await namedItems(items, encryption),
      problems,
      encryption,
      begin: (context) =>
        createUpload(program, context, options, (upload) => ({
          ...recordOf({ ...target, server: base }, upload, recorded, items),
          refused,
        })),
    })
  } finally {
    await encryption?.close()
  }
}

interface ResumeInput extends Pick<OpenedRequest, 'client' | 'base'> {
  readonly unfinished: UnfinishedUpload
}

/**
 * Resumes sending files to a request.
 * @returns whether the server still has the upload
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function resumeSending(
  program: Program,
  args: SendTransferArgs & Pick<SendArgs, 'yes'>,
  { client, base, unfinished }: ResumeInput,
): Promise<boolean> {
  const { encryption: saved, files, refused = [] } = unfinished
  const { items: found, problems: missing } = await itemsFor(program, args, unfinished)
  const encryption = await encryptionFor(
    program,
    saved?.kind === 'recipients' ? (saved.recipients[0] ?? '') : '',
  )
  const known = Map.groupBy(files, ({ name, localName = name }) => localName)
  const refusedNames = new Set(refused)
  const items = found.filter(({ name }) => !refusedNames.has(name))
  const problems = [...missing, ...refused.map(refusedEarlier)]
  const encryptedNames = new Map([...known].map(([name, there]) => [name, there.map((file) => file.name)]))
  try {
    return await sendFiles(program, args, {
      client,
      server: base,
      named: await namedItems(items, encryption, encryptedNames),
      problems,
      encryption,
      begin: (context) => continueUpload(program, context, unfinished),
    })
  } finally {
    await encryption?.close()
  }
}

const refusedEarlier = (path: string): Problem => ({
  path,
  reason: 'the request does not accept it',
  kind: 'failed',
})

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

/** What a command line asks to send. */
interface Selection {
  readonly items: readonly Item[]
  /** What is left out, and why. */
  readonly problems: readonly Problem[]
}

async function itemsFor(
  program: Program,
  args: Pick<SendArgs, 'quiet' | 'yes'>,
  { directory, paths, name }: Pick<UnfinishedUpload, 'directory' | 'paths' | 'name'>,
): Promise<Selection> {
  const found = await collect(program, paths, { directory, name, kinds: 'files' })
  const { problems } = found
  for (const { path, reason, kind } of problems)
    if (kind !== 'note' || args.quiet !== true)
      program.printToStderr(`${printable(path)}: ${printable(reason)}`)
  const items = itemsOf(found)
  if (items.length === 0) throw localFailure('there is nothing to send')
  if (problems.some(({ kind }) => kind === 'failed') && args.yes !== true)
    throw localFailure('not all files can be sent; --yes sends the others')
  return { items, problems }
}

interface AcceptContext {
  readonly request: OpenUploadRequest
  readonly encryption: Encryption | undefined
}

/**
 * The files that a request accepts; with `--yes`, the others are reported and left out.
 * @throws Failure
 */
function selectAccepted(
  program: Program,
  { yes }: Pick<SendArgs, 'yes'>,
  { items, problems }: Selection,
  context: AcceptContext,
): Selection & { readonly refused: readonly string[] } {
  const refused = new Map<Item, Problem>()
  for (const item of items) {
    const reason = refusal(item, context)
    if (reason === undefined) continue
    if (yes !== true) throw usageFailure(`${item.name}: ${reason}`)
    program.printToStderr(`${printable(item.name)}: ${reason}`)
    refused.set(item, { path: item.name, reason, kind: 'failed' })
  }
  if (refused.size === items.length) throw usageFailure('the request accepts none of the files')
  return {
    items: items.filter((item) => !refused.has(item)),
    problems: [...problems, ...refused.values()],
    refused: [...refused.keys()].map(({ name }) => name),
  }
}

/** Why the server would refuse a file, or cannot see it because names are encrypted. */
function refusal({ name, size = 0 }: Item, { request, encryption }: AcceptContext): string | undefined {
  const { extensions, maxFileSize } = request
  if (!isAllowedExtension(name, extensions))
    return `the request accepts only ${extensions.map((extension) => `.${extension}`).join(', ')}`
  // The server counts what it stores.
  const stored = sentSize(size, encryption?.encryptor)
  if (maxFileSize < 0 || stored <= maxFileSize) return undefined
  const limit = `the request accepts files up to ${roughSize(maxFileSize)}`
  return size > maxFileSize ? limit : `${limit}, and this one has ${roughSize(stored)} encrypted`
}

async function senderName(
  program: Program,
  { sender }: SendArgs,
  { senderName: requirement }: OpenUploadRequest,
): Promise<string | undefined> {
  if (requirement === 'none' || sender !== undefined || requirement === 'optional') return sender
  if (!canAsk(program)) throw usageFailure('the request asks for your name: use --sender NAME')
  return ask(program, 'Your name: ')
}

async function encryptionFor(program: Program, recipient: string): Promise<Encryption | undefined> {
  if (recipient === '') return undefined
  const { startEncryption } = await import('../upload/encryption.ts')
  const chosenKey: ChosenKey = {
    key: { recipients: [recipient] },
    generated: false,
    recipients: [{ recipient, kind: 'age' }],
  }
  try {
    return await startEncryption(program, chosenKey, undefined)
  } catch (error) {
    if (!isInvalidKey(error)) throw error
    throw new Failure(
      'the request has an invalid key, so that nothing can be encrypted for it: its owner must make a new request',
      exitCodes.refused,
      error,
    )
  }
}

/**
 * The files with the names that the server gets: encrypted for a request with a recipient.
 * @param known the names that an earlier run has encrypted, by those here: the server knows the files by them
 */
async function namedItems(
  items: readonly Item[],
  encryption: Encryption | undefined,
  known: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<readonly NamedItem[]> {
  if (encryption === undefined) return items.map((item) => ({ item, name: item.name }))
  const { createPlainEngine, encryptName } = await import('@svc/encryption')
  const engine = createPlainEngine()
  const named: NamedItem[] = []
  const unused = new Map([...known].map(([name, encrypted]) => [name, [...encrypted]]))
  for (const item of items) {
    const encrypted =
      unused.get(item.name)?.shift() ?? (await encryptName(item.name, encryption.chosenKey.key, engine))
    named.push({ item: { ...item, name: encrypted }, name: item.name })
  }
  return named
}
