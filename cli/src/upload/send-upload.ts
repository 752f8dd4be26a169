import { canHaveManifest, manifestName, servesManifest, type LinkMail } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { printable, roughSize } from '@svc/terminal'
import type { UploadArgs } from '../arguments/upload-args.ts'
import type { TransferOptions } from '../arguments/option-values.ts'
import type { TargetWithServer } from '../config/target.ts'
import type { ChosenKey } from '../encryption/choose-key.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import { exitStatus } from '../errors/exit-status.ts'
import type { Item, Problem } from '../files/item.ts'
import { connect } from '../http/connect.ts'
import { lifetimeNote } from '../output/lifetime-note.ts'
import { createProgress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import type { UnfinishedUpload } from '../state/unfinished/unfinished-upload.ts'
import { continueUpload, createUpload, type UploadContext, type BegunUpload } from './begin-upload.ts'
import type { Encryption } from './encryption.ts'
import type { FileEncryptor } from './sending/file-encryptor.ts'
import { emailLink, requireEmailAllowed } from './link-mail.ts'
import { printReport } from './print-report.ts'
import { createPlainDigests } from './sending/plain-digests.ts'
import { isSent, runUpload, type CreatedUpload, type SendResult } from './sending/run-upload.ts'
import { originalSize, sentSize } from './sending/send-file.ts'
import { sendManifest } from './send-manifest.ts'
import { findBegun, recordOf, type UploadCommand } from './upload-command.ts'
import { conclude, giveUp, isUnfinished, remember, type RunningUpload } from './upload-ending.ts'
import { credentialsOf, keyFor, optionsFor } from './upload-options.ts'

/** What `svc` sends as one upload, and how. */
export interface UploadPlan {
  readonly args: UploadArgs
  readonly settings: TransferOptions & {
    readonly ttl: number | undefined
    readonly downloads?: number | undefined
  }
  /** Keys of recipients, or files of keys. */
  readonly recipients: readonly string[]
  /** The folder in which the paths lie. */
  readonly directory: string
  readonly paths: readonly string[]
  readonly items: readonly Item[]
  readonly problems: readonly Problem[]
  /** The email with the link. */
  readonly mail?: LinkMail | undefined
  /** The upload to continue, with its encryption; without it, the one that the same command began. */
  readonly unfinished?: { readonly upload: UnfinishedUpload; readonly chosenKey: ChosenKey | undefined }
}

interface Prepared extends UploadPlan {
  readonly command: UploadCommand
  readonly encryption: Encryption | undefined
  readonly begun: UnfinishedUpload | undefined
}

/**
 * Sends files as one upload and prints the links.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendUpload(
  program: Program,
  target: TargetWithServer,
  plan: UploadPlan,
): Promise<void> {
  const { args, directory, paths, recipients, unfinished } = plan
  const credentials = await credentialsOf(program, args)
  const chosenKey = unfinished === undefined ? await keyFor(program, args, recipients) : unfinished.chosenKey
  if (chosenKey !== undefined && plan.items.some(({ name }) => name === manifestName))
    throw usageFailure(`${manifestName} is the name of the manifest of an encrypted upload; use another one`)
  const { ttl, downloads } = plan.settings
  const options = optionsFor(args, target.profile, { ttl, downloads, credentials, chosenKey })
  const command = { directory, paths, name: args.name, options, chosenKey, recipients }
  const begun = unfinished?.upload ?? (await findBegun(program, target.server, command))
  const encryption = chosenKey && (await startUploadEncryption(program, chosenKey, begun))
  try {
    await send(program, target, { ...plan, command, encryption, begun })
  } finally {
    await encryption?.close()
  }
}

/** Loads the encryption only when needed: most uploads start without it. */
async function startUploadEncryption(
  program: Program,
  chosenKey: ChosenKey,
  begun: UnfinishedUpload | undefined,
): Promise<Encryption> {
  const { startEncryption } = await import('./encryption.ts')
  return startEncryption(program, chosenKey, begun?.encryption)
}

async function send(program: Program, target: TargetWithServer, prepared: Prepared): Promise<void> {
  const { args, settings, items, encryption } = prepared
  const client = connect(program, target, target.server, { noIdleTimeout: args.stream === true })
  const progress = createProgress(program, {
    total: totalOf(items, encryption?.encryptor),
    quiet: args.quiet === true || args.json === true,
  })
  const print = async (upload: CreatedUpload, results: readonly SendResult[], manifest?: string) => {
    await printReport(program, args, {
      client,
      upload,
      results,
      login: prepared.command.options.login ?? prepared.begun?.login,
      chosenKey: encryption?.chosenKey,
      manifest,
      problems: prepared.problems,
    })
  }
  const { mail } = prepared
  const sendLinkByMail = async ({ id }: CreatedUpload) => {
    if (mail !== undefined)
      await emailLink(program, client, { id, mail, isQuiet: args.quiet === true || args.json === true })
  }
  try {
    program.interrupted.throwIfAborted()
    if (mail !== undefined) await requireEmailAllowed(client, target, encryption !== undefined)
    const hasManifest = encryption !== undefined && canHaveManifest(prepared.command.options)
    const remembered = items.map(({ name, size = 0 }) => ({ name, size }))
    const context = {
      client,
      items,
      encryptor: encryption?.encryptor,
      progress,
      hasManifest,
      onCreated: (upload: CreatedUpload) =>
        remember({ program, server: target.server, upload, progress }, remembered),
    }
    const { upload, tasks, recorder } = await begin(program, target, prepared, context)
    const digests =
      hasManifest && servesManifest(upload) ? createPlainDigests(program.interrupted) : undefined
    const encryptor = encryption?.encryptor
    const running = { program, server: target.server, client, upload, recorder, progress, encryptor }
    try {
      await remember(running, remembered)
      // The sender of a stream needs the link before the download.
      if (upload.stream) {
        await print(
          upload,
          tasks.flatMap(({ item, target: to }) => (to.kind === 'new' ? [] : [{ item, file: to.file }])),
        )
        await sendLinkByMail(upload)
        progress.report('Waiting for the recipient; nothing is stored.')
      }
      const transfer = createTransferContext(program, progress, {
        retries: settings.retries,
        next: 'trying again',
      })
      const results = await runUpload(tasks, {
        client,
        upload,
        encryptor,
        digests,
        concurrency: settings.concurrency,
        smallConcurrency: settings.smallConcurrency,
        rateLimit: createRateLimit(program.clock, settings.rate),
        ...transfer,
        onSent: (item, size) => {
          progress.report(`sent ${printable(item.name)} (${roughSize(originalSize(item, size, encryptor))})`)
        },
        onFailed: (item, error) => {
          progress.warn(`${printable(item.name)}: ${printable(errorMessage(error))}`)
        },
      })
      progress.end()
      reportPassphrase(program, prepared)
      const note = lifetimeNote('ttl', prepared.command.options.ttl, upload.ttl)
      if (note !== undefined) program.printToStderr(note)
      const manifest =
        encryption && digests && results.some(isSent) && !isUnfinished(running, results)
          ? await manifestFor({ ...running, encryption, digests, ...transfer }, results)
          : undefined
      await conclude(running, results)
      if (!upload.stream) await print(upload, results, manifest)
      const status = statusFor(prepared, results)
      program.fail(status)
      if (status === exitCodes.done && !upload.stream) await sendLinkByMail(upload)
      else if (mail !== undefined && !upload.stream)
        program.printToStderr('the link was not sent by email, because not everything was sent')
    } catch (error) {
      await giveUp(running)
      throw error
    }
  } finally {
    progress.end()
  }
}

/**
 * Sends the manifest, and returns its mark. An upload without one is still useful.
 * @throws the error of the connection if another run can send the manifest; the signal's reason
 */
async function manifestFor(
  context: RunningUpload & Parameters<typeof sendManifest>[0],
  results: readonly SendResult[],
): Promise<string | undefined> {
  const { program, recorder, signal } = context
  try {
    return await sendManifest(context, results)
  } catch (error) {
    signal.throwIfAborted()
    if (recorder.canResume && exitStatus(error) === exitCodes.unreachable) throw error
    program.printToStderr(
      `the manifest was not sent, so that recipients cannot verify the names of the files: ${printable(errorMessage(error))}`,
    )
    program.fail(exitCodes.partly)
    return undefined
  }
}

async function begin(
  program: Program,
  target: TargetWithServer,
  { begun, command, items }: Prepared,
  context: UploadContext,
): Promise<BegunUpload> {
  const continued = begun && (await continueUpload(program, context, begun))
  if (continued !== undefined) return continued
  if (begun !== undefined)
    context.progress.warn('the server has removed the unfinished upload; all files are sent again')
  try {
    return await createUpload(program, context, command.options, (upload) =>
      upload.stream ? undefined : recordOf(target, upload, command, items),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'too_many_files') throw error
    throw new Failure(`${error.message}; -a tar sends all as one file`, exitCodes.refused, error)
  }
}

/** Another program asks for the part of the link after `#key=`. */
function reportPassphrase(program: Program, { args, encryption }: Prepared): void {
  if (encryption?.chosenKey.generated !== true || args.quiet === true || args.json === true) return
  program.printToStderr(`passphrase: ${encryption.chosenKey.passphrase ?? ''}`)
}

function totalOf(items: readonly Item[], encryptor: FileEncryptor | undefined): number | undefined {
  const sizes = items.map(({ size }) => (size === undefined ? undefined : sentSize(size, encryptor)))
  return sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0)
}

function statusFor({ problems }: UploadPlan, results: readonly SendResult[]): number {
  const bad = results.filter(({ error }) => error !== undefined)
  if (bad.length === 0 && !problems.some(({ kind }) => kind === 'failed')) return exitCodes.done
  if (bad.length < results.length) return exitCodes.partly
  return exitStatus(bad[0]?.error)
}
