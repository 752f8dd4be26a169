import type { File, Upload } from '@svc/contract'
import { withRetries } from '@svc/sdk'
import { inParallel } from '../../transfer/in-parallel.ts'
import { isSmall } from '../../transfer/small-files.ts'
import { Failure } from '../../errors/failure.ts'
import type { Item } from '../../files/item.ts'
import { sendFile, sentSize, sizeFault, type SendContext, type SendTask, type SentFile } from './send-file.ts'

/** The result of one item. */
export interface SendResult {
  readonly item: Item
  /** As the server declared or stored it; undefined where the server has no file. */
  readonly file?: File | undefined
  readonly error?: unknown
}

/** The result of an item that arrived. */
export type Sent = SendResult & { readonly file: File }

export const isSent = (result: SendResult): result is Sent =>
  result.error === undefined && result.file !== undefined

export interface RunOptions extends SendContext {
  readonly concurrency: number
  /** Of small files that are not encrypted. Scrypt for a passphrase needs 256 MiB for each file. */
  readonly smallConcurrency: number
  /** Called after each item, with its bytes on the server. */
  readonly onSent: (item: Item, size: number) => void
  readonly onFailed: (item: Item, error: unknown) => void
}

export type CreatedUpload = Upload & { readonly uploadToken: string }

/** An item after its transfer. */
type Settled =
  { readonly task: SendTask; readonly sent: SentFile } | { readonly task: SendTask; readonly error: unknown }

/**
 * Sends the files of an upload. Failures are part of the result.
 * @throws the signal's reason
 */
export async function runUpload(
  tasks: readonly SendTask[],
  { concurrency, smallConcurrency, onSent, onFailed, ...context }: RunOptions,
): Promise<readonly SendResult[]> {
  const { upload, signal } = context
  const settled = new Map<SendTask, Settled>()
  const run = async (task: SendTask) => {
    const result = await settle(context, task)
    signal.throwIfAborted()
    settled.set(task, result)
    if ('error' in result) onFailed(task.item, result.error)
    else onSent(task.item, result.sent.file?.fileSize ?? sizeOf(context, task) ?? 0)
  }
  if (upload.stream) await inParallel(tasks, Infinity, run)
  else {
    const { small = [], other = [] } = Object.groupBy(tasks, (task) =>
      isSmallPlain(context, task) ? 'small' : 'other',
    )
    await inParallel(small, smallConcurrency, run)
    await inParallel(other, concurrency, run)
  }
  signal.throwIfAborted()
  const results = await withFiles(
    context,
    tasks.flatMap((task) => settled.get(task) ?? []),
  )
  for (const { item, error } of results) if (error instanceof SizeFailure) onFailed(item, error)
  return results
}

const isSmallPlain = ({ encryptor }: SendContext, { item }: SendTask): boolean =>
  encryptor === undefined && item.kind === 'file' && isSmall(item.size)

const sizeOf = ({ encryptor }: SendContext, { item }: SendTask) =>
  item.size === undefined ? undefined : sentSize(item.size, encryptor)

async function settle(context: SendContext, task: SendTask): Promise<Settled> {
  try {
    return { task, sent: await sendFile(context, task) }
  } catch (error) {
    return { task, error }
  }
}

/** The server stored a file with another size than it was sent with. */
class SizeFailure extends Failure {}

/** Asks the server once for the files that were sent in parts. */
async function withFiles(context: SendContext, settled: readonly Settled[]): Promise<readonly SendResult[]> {
  const needsFiles = settled.some((outcome) => 'sent' in outcome && outcome.sent.file === undefined)
  const files = needsFiles ? await filesOf(context) : []
  const stored = new Map(files.map((file) => [file.id, file]))
  return settled.map((outcome) => {
    const { item } = outcome.task
    if ('error' in outcome) {
      const { target } = outcome.task
      return { item, error: outcome.error, file: target.kind === 'new' ? undefined : target.file }
    }
    const file = outcome.sent.file ?? stored.get(outcome.sent.id)
    const fault = file
      ? sizeFault(file, sizeOf(context, outcome.task) ?? file.fileSize)
      : 'the server has removed the file'
    return { item, file, ...(fault !== undefined && { error: new SizeFailure(fault) }) }
  })
}

const filesOf = ({ client, upload, retryPolicy }: SendContext): Promise<readonly File[]> =>
  withRetries(retryPolicy, async () => (await client.upload(upload.id, upload)).files)
