import { createConnection, type SeekableSource, type StreamSource } from '@svc/sdk'
import { printable, printableJson, roughSize } from '@svc/terminal'
import type { UploadArgs } from '../arguments/upload-args.ts'
import type { TransferOptions } from '../arguments/option-values.ts'
import { errorJson } from '../errors/error-json.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { usageFailure } from '../errors/failure.ts'
import type { Item, Problem } from '../files/item.ts'
import { openSource } from '../files/source.ts'
import { connectionOptions } from '../http/connect.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { inParallel } from '../transfer/in-parallel.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import type { Encryption } from '../upload/encryption.ts'
import { leftOut } from '../upload/report.ts'
import { sentSize } from '../upload/sending/send-file.ts'
import { keyFor } from '../upload/upload-options.ts'
import type { Destination } from './destination.ts'
import { foreignHeaders, requireSupported } from './foreign-options.ts'
import { sendByPut, type PutResult } from './put.ts'
import { sendByTus } from './tus.ts'
import { noMemory, tusMemory } from './tus-memory.ts'

/** Files for a server that is not Svc. */
export interface ForeignPlan {
  readonly args: UploadArgs
  readonly settings: TransferOptions & {
    readonly ttl: number | undefined
    readonly downloads: number | undefined
  }
  readonly insecure: boolean
  readonly isQuiet: boolean
  readonly recipients: readonly string[]
  readonly items: readonly Item[]
  readonly problems: readonly Problem[]
}

/** The result of one item. */
interface ForeignResult {
  readonly item: Item
  readonly name: string
  readonly link?: string
  readonly deleteURL?: string | undefined
  readonly error?: unknown
}

interface ForeignSendContext extends ForeignPlan {
  readonly program: Program
  readonly destination: Destination
  readonly encryption: Encryption | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends each file to a server of another kind, and prints the links that it responds with.
 * @throws Failure, EncryptionError, the signal's reason
 */
export async function sendForeign(
  program: Program,
  destination: Destination,
  plan: ForeignPlan,
): Promise<void> {
  const { args, recipients, items } = plan
  requireSupported(program, destination, args)
  requireNames(destination, items)
  const chosenKey = await keyFor(program, args, recipients)
  const encryption =
    chosenKey &&
    (await (await import('../upload/encryption.ts')).startEncryption(program, chosenKey, undefined))
  try {
    const headers = foreignHeaders(destination, args, plan.settings)
    const results = await sendAll({ ...plan, program, destination, encryption, headers })
    print(program, plan, encryption, results)
    const [first, ...others] = results.flatMap(({ link }) => link ?? [])
    if (args.qr === true && first !== undefined && others.length === 0) {
      const { showQrCode } = await import('../output/qr-code.ts')
      showQrCode(program, withKey(encryption, first))
    }
  } finally {
    await encryption?.close()
  }
}

/** A name in an address, without folders: servers of this kind make none. */
const lastName = ({ name }: Item): string => name.split('/').at(-1) ?? name

function requireNames({ kind, url }: Destination, items: readonly Item[]): void {
  if (kind !== 'put') return
  if (items.length > 1 && !url.pathname.endsWith('/'))
    throw usageFailure('with several files, the address of --to must end in /')
  const double = [...Map.groupBy(items, lastName).values()].find(({ length }) => length > 1)?.[0]
  if (double !== undefined)
    throw usageFailure(`two files are named ${lastName(double)}; -a sends all as one archive`)
}

async function sendAll(context: ForeignSendContext): Promise<readonly ForeignResult[]> {
  const { program, args, settings, items, encryption } = context
  const sizes = items.map(({ size }) =>
    size === undefined ? undefined : sentSize(size, encryption?.encryptor),
  )
  const progress = createProgress(program, {
    total: sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0),
    quiet: args.quiet === true || args.json === true,
  })
  const transfer = createTransferContext(program, progress, {
    retries: settings.retries,
    next: 'trying again',
  })
  const rateLimit = createRateLimit(program.clock, settings.rate)
  const results = new Map<Item, ForeignResult>()
  try {
    await inParallel(items, settings.concurrency, async (item) => {
      const name = encryption === undefined ? item.name : `${item.name}.age`
      try {
        results.set(item, { item, name, ...(await sendItem(context, { item, name, transfer, rateLimit })) })
        progress.report(
          `sent ${printable(item.name)}${item.size === undefined ? '' : ` (${roughSize(item.size)})`}`,
        )
      } catch (error) {
        if (transfer.signal.aborted) {
          reportUnfinished(context, item, progress)
          transfer.signal.throwIfAborted()
        }
        results.set(item, { item, name, error })
        progress.warn(`${printable(item.name)}: ${printable(errorMessage(error))}`)
      }
    })
  } finally {
    progress.end()
  }
  return items.flatMap((item) => results.get(item) ?? [])
}

/** Advice after an interrupt. */
function reportUnfinished(
  { destination, encryption }: ForeignSendContext,
  item: Item,
  progress: Progress,
): void {
  const canResume = destination.kind === 'tus' && encryption === undefined && item.kind === 'file'
  if (canResume) progress.warn(`${printable(item.name)} is unfinished; to resume it, run the command again`)
}

interface ForeignTask {
  readonly item: Item
  /** On the server. */
  readonly name: string
  readonly transfer: ReturnType<typeof createTransferContext>
  readonly rateLimit: ReturnType<typeof createRateLimit>
}

async function sendItem(context: ForeignSendContext, task: ForeignTask): Promise<PutResult> {
  const { encryption } = context
  const { item, transfer, rateLimit } = task
  const { signal } = transfer
  const encrypt = await encryption?.encryptor.encrypt(item.name)
  const opened = await openSource(item, { rateLimit, signal })
  try {
    const source = encrypt === undefined ? opened.source : encrypt(opened.source, signal)
    const result = await deliver(context, task, source)
    await opened.check()
    return result
  } finally {
    await opened.close()
  }
}

async function deliver(
  { program, destination, insecure, isQuiet, encryption, headers }: ForeignSendContext,
  { item, name, transfer }: ForeignTask,
  source: SeekableSource | StreamSource,
): Promise<PutResult> {
  const { url } = destination
  const { signal, retryPolicy, onBytes } = transfer
  const { headers: own, ...options } = connectionOptions(program, { insecure, isQuiet })
  const connectionTo = ({ origin }: URL) => createConnection({ ...options, baseURL: origin, headers: own })
  let counted = 0
  const onProgress = (sent: number) => {
    onBytes(sent - counted)
    counted = sent
  }
  const common = { signal, retryPolicy, onProgress }
  const last = lastName({ ...item, name })
  if (destination.kind === 'tus') {
    const memory = encryption === undefined ? tusMemory(program, url, item) : noMemory
    // Credentials do not go to another origin.
    const headersFor = (address: URL) => (address.origin === url.origin ? headers : {})
    const address = await sendByTus({
      ...common,
      endpoint: url,
      name: last,
      source,
      connectionTo,
      headersFor,
      memory,
    })
    return { link: address.href, deleteURL: undefined }
  }
  const address = url.pathname.endsWith('/') ? new URL(encodeURIComponent(last), url) : url
  const isRepeatable = 'between' in source
  const open = () => (isRepeatable ? { size: source.size, chunks: source.between(0, source.size) } : source)
  return sendByPut({ ...common, address, open, isRepeatable, connection: connectionTo(address), headers })
}

const withKey = (encryption: Encryption | undefined, link: string) => {
  const passphrase = encryption?.chosenKey.passphrase
  return passphrase === undefined ? link : `${link}#key=${encodeURIComponent(passphrase)}`
}

function print(
  program: Program,
  { args, problems }: ForeignPlan,
  encryption: Encryption | undefined,
  results: readonly ForeignResult[],
): void {
  const chosenKey = encryption?.chosenKey
  const bad = results.filter(({ error }) => error !== undefined)
  if (chosenKey?.generated === true && args.quiet !== true && args.json !== true)
    program.printToStderr(`passphrase: ${chosenKey.passphrase ?? ''}`)
  if (args.json === true) {
    const files = results.map(({ item, name, link, deleteURL, error }) => ({
      name,
      ...(link !== undefined && { url: withKey(encryption, link) }),
      ...(deleteURL !== undefined && { deleteURL }),
      ...(item.size !== undefined && { size: item.size }),
      ...(error === undefined ? { status: 'sent' } : { status: 'failed', error: errorMessage(error) }),
    }))
    const passphrase = chosenKey?.passphrase === undefined ? {} : { passphrase: chosenKey.passphrase }
    const notSent = [
      ...leftOut(problems),
      ...bad.map(({ item, error }) => ({ path: item.name, status: 'failed', reason: errorMessage(error) })),
    ]
    const failed = bad.length === results.length ? errorJson(bad[0]?.error) : {}
    program.print(printableJson({ ...failed, ...passphrase, files, notSent }))
  } else for (const { link } of results) if (link !== undefined) program.print(withKey(encryption, link))
  const isIncomplete = bad.length > 0 || problems.some(({ kind }) => kind === 'failed')
  if (!isIncomplete) return
  program.fail(bad.length < results.length ? exitCodes.partly : exitStatus(bad[0]?.error))
}
