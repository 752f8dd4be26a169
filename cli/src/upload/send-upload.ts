import { ageScheme, type UploadOptions } from '@svc/contract'
import type { Credentials } from '@svc/sdk'
import { printable, printableJson, roughSize } from '@svc/terminal'
import { parseCredentials } from '../arguments/credentials.ts'
import type { GivenUpload } from '../arguments/upload.ts'
import { ttlOption, type TransferOptions } from '../arguments/values.ts'
import { addToHistory } from '../config/history.ts'
import type { Target } from '../config/target.ts'
import type { ChosenLock } from '../encryption/lock.ts'
import type { FileEncryptor } from './file-encryptor.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { usageFailure } from '../errors/failure.ts'
import { errorJson } from '../errors/error-json.ts'
import { roughDuration } from '../output/rough-duration.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { Item } from '../files/item.ts'
import * as report from './report.ts'
import { runUpload, type CreatedUpload, type SendResult } from './run-upload.ts'

/**
 * Login and password of a protected upload.
 * @throws Failure when the password is empty, which would protect nothing
 */
async function credentialsOf(
  program: Program,
  { password: written }: GivenUpload,
): Promise<Partial<Credentials>> {
  if (written === undefined) return {}
  if (written === '-' && !canAsk(program)) throw usageFailure('no terminal to ask for a password')
  const credentials =
    written === '-' ? { password: await ask(program, 'Password: ', 'hidden') } : parseCredentials(written)
  if (credentials.password === '') throw usageFailure('the password is empty')
  return credentials
}

export interface Plan {
  readonly given: GivenUpload
  readonly settings: TransferOptions & { readonly ttl: number | undefined }
  /** Keys of recipients, or files of keys. */
  readonly recipients: readonly string[]
  readonly items: readonly Item[]
  /** Number of given paths that cannot be sent. */
  readonly failed: number
}

/** The encryption of an upload. */
interface Encryption {
  readonly lock: ChosenLock
  readonly encryptor: FileEncryptor
  readonly close: () => Promise<void>
}

/** Loads the encryption only when needed: most uploads start without it. */
async function encryptionOf(program: Program, { given, recipients }: Plan): Promise<Encryption | undefined> {
  if (given.encrypt !== true && given.passphrase === undefined && recipients.length === 0) return undefined
  const { chooseLock } = await import('../encryption/lock.ts')
  const lock = await chooseLock(program, { ...given, recipients })
  if (lock === undefined) return undefined
  const { createCliEngine } = await import('../encryption/engine.ts')
  const { createFileEncryptor } = await import('./file-encryptor.ts')
  const engine = createCliEngine(program)
  try {
    return { lock, encryptor: await createFileEncryptor(lock.lock, engine), close: engine.close }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/**
 * Sends files as one upload and prints the links.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendUpload(
  program: Program,
  target: Target & { readonly server: string },
  plan: Plan,
): Promise<void> {
  const encryption = await encryptionOf(program, plan)
  try {
    await send(program, target, { ...plan, encryption })
  } finally {
    await encryption?.close()
  }
}

async function send(
  program: Program,
  target: Target & { readonly server: string },
  plan: Plan & { readonly encryption: Encryption | undefined },
): Promise<void> {
  const { given, settings, items, encryption } = plan
  const { profile } = target
  const credentials = await credentialsOf(program, given)
  const ttl = settings.ttl ?? ttlOption(profile.ttl)
  const options: UploadOptions = {
    ...credentials,
    ...(ttl !== undefined && { ttl }),
    ...present('oneShot', given.oneshot ?? profile.oneshot),
    ...present('removable', given.removable ?? profile.removable),
    ...present('stream', given.stream),
    ...present('extend_ttl', given['extend-ttl']),
    ...(encryption && { e2ee: ageScheme }),
    ...(given.comments !== undefined && { comments: given.comments }),
  }
  const client = connect(program, target, target.server, { noIdleTimeout: given.stream === true })
  const progress = createProgress(program, {
    total: totalOf(items, encryption?.encryptor),
    quiet: given.quiet === true || given.json === true,
  })
  const printResult = (upload: CreatedUpload, sent: readonly SendResult[]) => {
    printReport(program, given, { client, upload, sent, login: credentials.login, lock: encryption?.lock })
  }
  try {
    const { upload, sent } = await runUpload(options, items, {
      client,
      encryptor: encryption?.encryptor,
      concurrency: settings.concurrency,
      rateLimit: createRateLimit(program.clock, settings.rate),
      ...createTransferContext(program, progress, { retries: settings.retries, next: 'trying again' }),
      // The sender of a stream needs the link before the download.
      onCreated: (created) => {
        if (!created.stream) return
        printResult(created, declared(created, items))
        progress.report('Waiting for the recipient; nothing is stored.')
      },
      onSent: (result) => {
        reportSent(progress, result)
      },
    })
    progress.end()
    reportPassphrase(program, plan)
    reportLifetime(program, options.ttl, upload.ttl)
    await rememberUpload(program, target.server, upload, sent)
    if (!upload.stream) printResult(upload, sent)
    program.fail(statusFor(plan, sent))
  } finally {
    progress.end()
  }
}

const present = <Name extends string>(name: Name, value: boolean | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, boolean>>

/** Another program asks for the part of the link after `#key=`. */
function reportPassphrase(program: Program, { given, encryption }: Parameters<typeof send>[2]): void {
  if (encryption?.lock.generated !== true || given.quiet === true || given.json === true) return
  program.printToStderr(`passphrase: ${encryption.lock.passphrase ?? ''}`)
}

/** A server may have a maximum. */
function reportLifetime(program: Program, requested: number | undefined, actual: number): void {
  if (requested === undefined || requested === 0 || actual === requested) return
  program.printToStderr(`the server limited --ttl to ${actual < 0 ? 'unlimited' : roughDuration(actual)}`)
}

function totalOf(items: readonly Item[], encryptor: FileEncryptor | undefined): number | undefined {
  const sizes = items.map(({ size }) => (size === undefined ? undefined : (encryptor?.sizeOf(size) ?? size)))
  return sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0)
}

const declared = (upload: CreatedUpload, items: readonly Item[]): SendResult[] =>
  upload.files.flatMap((file) => {
    const item = items[Number(file.reference)]
    return item === undefined ? [] : [{ item, file }]
  })

function reportSent(progress: Progress, { item, file, error }: SendResult): void {
  const name = printable(item.name)
  if (error === undefined) progress.report(`sent ${name} (${roughSize(file.fileSize)})`)
  else progress.warn(`${name}: ${printable(errorMessage(error))}`)
}

function printReport(program: Program, given: GivenUpload, of: report.Report): void {
  const isNothing = of.sent.every(({ error }) => error !== undefined)
  if (given.json === true)
    program.print(printableJson(isNothing ? errorJson(of.sent[0]?.error) : report.value(of)))
  else if (!isNothing)
    for (const line of given.quiet === true ? report.links(of) : report.lines(of)) program.print(line)
}

async function rememberUpload(
  program: Program,
  server: string,
  upload: CreatedUpload,
  sent: readonly SendResult[],
): Promise<void> {
  const good = sent.filter(({ error }) => error === undefined)
  if (good.length === 0 || upload.stream) return
  await addToHistory(program, {
    server,
    id: upload.id,
    uploadToken: upload.uploadToken,
    createdAt: upload.createdAt,
    expireAt: upload.expireAt,
    names: good.map(({ item }) => item.name),
    files: good.length,
    size: good.reduce((sum, { file }) => sum + file.fileSize, 0),
  })
}

function statusFor({ failed }: Plan, sent: readonly SendResult[]): number {
  const bad = sent.filter(({ error }) => error !== undefined)
  if (bad.length === 0 && failed === 0) return exitCodes.done
  if (bad.length < sent.length) return exitCodes.partly
  return exitStatus(bad[0]?.error)
}
