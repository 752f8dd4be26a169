import { ageScheme, isAllowedExtension, type OpenUploadRequest } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { printable, printableJson, roughSize, table } from '@svc/terminal'
import { transferOptions } from '../arguments/values.ts'
import type { ChosenLock } from '../encryption/lock.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { Failure, localFailure, usageFailure } from '../errors/failure.ts'
import type { Item } from '../files/item.ts'
import { canAsk, ask } from '../interactive/ask.ts'
import { createProgress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import { createUpload } from '../upload/begin-upload.ts'
import { collect, itemsOf } from '../upload/files/collect.ts'
import type { Encryption } from '../upload/encryption.ts'
import { runUpload, isSent, type SendResult } from '../upload/sending/run-upload.ts'
import { sentSize } from '../upload/sending/send-file.ts'
import { conclude, giveUp } from '../upload/upload-ending.ts'
import { asSender, openRequestLink, type OpenedRequest } from './open-request.ts'
import type { GivenSend } from './send-arguments.ts'

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
  const { client, link } = opened
  const password = given.password ?? program.environment['SVC_PASSWORD']
  const { result: request, access } = await asSender(program, password, (as) =>
    client.openUploadRequest(link.requestID, as),
  )
  await requireRecipient(program, opened, request)
  if (!request.open) throw new Failure('the request is closed, or has received all that it accepts')
  const items = await collected(program, given, request, paths)
  const sender = await senderName(program, given, request)
  const encryption = await encryptionFor(program, request)
  try {
    const named = await sealedItems(items, encryption)
    const { comments } = given
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
    await send(program, given, { client: asUpload, server: opened.base, named, encryption })
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

async function collected(
  program: Program,
  given: GivenSend,
  request: OpenUploadRequest,
  paths: readonly string[],
): Promise<readonly Item[]> {
  const found = await collect(program, paths, { name: given.name, kinds: 'files' })
  for (const { path, reason, kind } of found.problems)
    if (kind !== 'note' || given.quiet !== true)
      program.printToStderr(`${printable(path)}: ${printable(reason)}`)
  const items = itemsOf(found)
  if (items.length === 0) throw localFailure('there is nothing to send')
  if (found.problems.some(({ kind }) => kind === 'failed') && given.yes !== true)
    throw localFailure('not all files can be sent; --yes sends the others')
  for (const item of items) checkItem(item, request)
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

async function encryptionFor(
  program: Program,
  { recipient }: OpenUploadRequest,
): Promise<Encryption | undefined> {
  if (recipient === '') return undefined
  const { startEncryption } = await import('../upload/encryption.ts')
  const lock: ChosenLock = {
    lock: { recipients: [recipient] },
    generated: false,
    recipients: [{ recipient, kind: 'age' }],
  }
  return startEncryption(program, lock, undefined)
}

/** An item under its name on the server, with its name here. */
interface NamedItem {
  readonly item: Item
  readonly name: string
}

async function sealedItems(
  items: readonly Item[],
  encryption: Encryption | undefined,
): Promise<readonly NamedItem[]> {
  if (encryption === undefined) return items.map((item) => ({ item, name: item.name }))
  const { createPlainEngine, sealName } = await import('@svc/encryption')
  const engine = createPlainEngine()
  const named: NamedItem[] = []
  for (const item of items) {
    const sealed = await sealName(item.name, encryption.lock.lock, engine)
    named.push({ item: { ...item, name: sealed }, name: item.name })
  }
  return named
}

interface Sending {
  readonly client: Client
  readonly server: string
  readonly named: readonly NamedItem[]
  readonly encryption: Encryption | undefined
}

async function send(program: Program, given: GivenSend, sending: Sending): Promise<void> {
  const { client, server, named, encryption } = sending
  const { rate, retries, concurrency } = transferOptions(given)
  const encryptor = encryption?.encryptor
  const items = named.map(({ item }) => item)
  const names = new Map(named.map(({ item, name }) => [item, name]))
  const nameOf = (item: Item) => printable(names.get(item) ?? item.name)
  const sizes = items.map(({ size }) => (size === undefined ? undefined : sentSize(size, encryptor)))
  const progress = createProgress(program, {
    total: sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0),
    quiet: given.quiet === true || given.json === true,
  })
  try {
    program.interrupted.throwIfAborted()
    const options = encryption === undefined ? {} : { e2ee: ageScheme }
    const begun = await createUpload(
      program,
      { client, items, encryptor, progress, hasManifest: false },
      options,
      () => undefined,
    )
    const { upload, tasks, recorder } = begun
    const running = { program, server, client, upload, recorder, progress }
    try {
      const results = await runUpload(tasks, {
        client,
        upload,
        encryptor,
        concurrency,
        rateLimit: createRateLimit(program.clock, rate),
        ...createTransferContext(program, progress, { retries, next: 'trying again' }),
        onSent: (item, size) => {
          progress.report(`sent ${nameOf(item)} (${roughSize(size)})`)
        },
        onFailed: (item, error) => {
          progress.warn(`${nameOf(item)}: ${printable(errorMessage(error))}`)
        },
      })
      progress.end()
      // Lists of this computer have the names that the files have here.
      await conclude(
        running,
        results.map((result) => ({ ...result, item: { ...result.item, name: nameOf(result.item) } })),
      )
      printReceipt(program, given, upload.id, results, nameOf)
      program.fail(statusFor(results))
    } catch (error) {
      await giveUp(running)
      throw error
    }
  } finally {
    progress.end()
  }
}

/** What the server has: sizes and hashes are those of the encrypted files. */
function printReceipt(
  program: Program,
  given: GivenSend,
  id: string,
  results: readonly SendResult[],
  nameOf: (item: Item) => string,
): void {
  const sent = results.filter(isSent)
  if (given.json === true) {
    const files = results.map((result) => ({
      name: nameOf(result.item),
      ...(isSent(result)
        ? { id: result.file.id, size: result.file.fileSize, md5: result.file.md5 }
        : { error: errorMessage(result.error) }),
    }))
    program.print(printableJson({ upload: id, files }))
    return
  }
  if (given.quiet === true || sent.length === 0) return
  const columns = [
    ['SIZE', ({ file }: (typeof sent)[number]) => roughSize(file.fileSize)],
    ['MD5', ({ file }: (typeof sent)[number]) => file.md5],
    ['NAME', ({ item }: (typeof sent)[number]) => nameOf(item)],
  ] as const
  program.print(`receipt of upload ${id}`)
  for (const line of table(columns, sent)) program.print(line)
}

function statusFor(results: readonly SendResult[]): number {
  const bad = results.filter(({ error }) => error !== undefined)
  if (bad.length === 0) return exitCodes.done
  return bad.length < results.length ? exitCodes.partly : exitStatus(bad[0]?.error)
}
