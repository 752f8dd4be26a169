import type { Upload } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { printable, printableJson, roughSize, table } from '@svc/terminal'
import { parseTransferOptions } from '../arguments/option-values.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { exitStatus } from '../errors/exit-status.ts'
import type { Item, Problem } from '../files/item.ts'
import { createProgress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import type { UploadContext, BegunUpload } from '../upload/begin-upload.ts'
import type { Encryption } from '../upload/encryption.ts'
import { leftOut } from '../upload/report.ts'
import { isSent, runUpload, type SendResult } from '../upload/sending/run-upload.ts'
import { originalSize, sentSize } from '../upload/sending/send-file.ts'
import { conclude, giveUp, remember } from '../upload/upload-ending.ts'
import type { SendArgs } from './send-args.ts'

/** An item under its name on the server, with its name here. */
export interface NamedItem {
  readonly item: Item
  readonly name: string
}

export type SendTransferArgs = Pick<SendArgs, 'quiet' | 'json' | 'limit-rate' | 'retries' | 'concurrency'>

interface FilesToSend {
  readonly client: Client
  readonly server: string
  readonly named: readonly NamedItem[]
  /** What is left out, which is already reported. */
  readonly problems: readonly Problem[]
  readonly encryption: Encryption | undefined
  /** Creates or continues the upload; undefined when there is nothing to continue. */
  readonly begin: (context: UploadContext) => Promise<BegunUpload | undefined>
}

/**
 * Sends files as an upload for a request, and prints a receipt.
 * @returns whether there was an upload to send them in
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function sendFiles(
  program: Program,
  args: SendTransferArgs,
  { client, server, named, problems, encryption, begin }: FilesToSend,
): Promise<boolean> {
  const { rate, retries, concurrency, smallConcurrency } = parseTransferOptions(args)
  const encryptor = encryption?.encryptor
  const items = named.map(({ item }) => item)
  const names = new Map(named.map(({ item, name }) => [item, name]))
  const localNameOf = (item: Item) => names.get(item) ?? item.name
  const nameOf = (item: Item) => printable(localNameOf(item))
  const sizes = items.map(({ size }) => (size === undefined ? undefined : sentSize(size, encryptor)))
  const progress = createProgress(program, {
    total: sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0),
    quiet: args.quiet === true || args.json === true,
  })
  try {
    program.interrupted.throwIfAborted()
    const begun = await begin({ client, items, encryptor, progress, hasManifest: false, localNameOf })
    if (begun === undefined) return false
    const { upload, tasks, recorder } = begun
    const running = { program, server, client, upload, recorder, progress, encryptor }
    try {
      await remember(
        running,
        items.map((item) => ({ name: localNameOf(item), size: item.size ?? 0 })),
      )
      const results = await runUpload(tasks, {
        client,
        upload,
        encryptor,
        concurrency,
        smallConcurrency,
        rateLimit: createRateLimit(program.clock, rate),
        ...createTransferContext(program, progress, { retries, next: 'trying again' }),
        onSent: (item, size) => {
          progress.report(`sent ${nameOf(item)} (${roughSize(originalSize(item, size, encryptor))})`)
        },
        onFailed: (item, error) => {
          progress.warn(`${nameOf(item)}: ${printable(errorMessage(error))}`)
        },
      })
      progress.end()
      // Lists of this computer have the names that the files have here.
      await conclude(
        running,
        results.map((result) => ({ ...result, item: { ...result.item, name: localNameOf(result.item) } })),
      )
      printReceipt(program, args, { upload, results, problems }, localNameOf)
      program.fail(statusFor(results, problems))
      return true
    } catch (error) {
      await giveUp(running)
      throw error
    }
  } finally {
    progress.end()
  }
}

interface Sent {
  readonly upload: Pick<Upload, 'id' | 'e2ee'>
  readonly results: readonly SendResult[]
  readonly problems: readonly Problem[]
}

/** What the server has: sizes and hashes are those of the encrypted files. For scripts, the id with which they take it back. */
function printReceipt(
  program: Program,
  args: SendTransferArgs,
  { upload: { id, e2ee }, results, problems }: Sent,
  nameOf: (item: Item) => string,
): void {
  const sent = results.filter(isSent)
  if (args.json === true) {
    const files = results.map((result) => ({
      name: nameOf(result.item),
      ...(isSent(result)
        ? { id: result.file.id, size: result.file.fileSize, md5: result.file.md5 }
        : { error: errorMessage(result.error) }),
    }))
    const missing = leftOut(problems)
    program.print(
      printableJson({
        upload: id,
        ...(e2ee !== '' && { e2ee }),
        files,
        ...(missing.length > 0 && { notSent: missing }),
      }),
    )
    return
  }
  if (sent.length === 0) return
  if (args.quiet === true) {
    program.print(id)
    return
  }
  const columns = [
    ['SIZE', ({ file }: (typeof sent)[number]) => roughSize(file.fileSize)],
    ['MD5', ({ file }: (typeof sent)[number]) => file.md5],
    ['NAME', ({ item }: (typeof sent)[number]) => nameOf(item)],
  ] as const
  program.print(`receipt of upload ${id}`)
  for (const line of table(columns, sent)) program.print(line)
  if (e2ee !== '')
    program.print('The server has these files encrypted: sizes and hashes are those of the encrypted files.')
}

function statusFor(results: readonly SendResult[], problems: readonly Problem[]): number {
  const bad = results.filter(({ error }) => error !== undefined)
  if (bad.length === 0 && !problems.some(({ kind }) => kind === 'failed')) return exitCodes.done
  return bad.length < results.length ? exitCodes.partly : exitStatus(bad[0]?.error)
}
