import type { File, Upload } from '@svc/contract'
import { isTransient, waitBeforeRetry, type Client, type ResumeMemory, type RetryPolicy } from '@svc/sdk'
import type { EncryptFile, FileEncryptor } from './file-encryptor.ts'
import { Failure } from '../../errors/failure.ts'
import type { RateLimit } from '../../transfer/rate-limit.ts'
import type { Item } from '../../files/item.ts'
import { openSource } from '../../files/source.ts'
import type { SavedKey } from '../../state/unfinished/unfinished-upload.ts'
import type { PlainDigests } from './plain-digests.ts'
import { isPartial, targetOf, type SendTarget } from './send-target.ts'

/** The context of sending the files of an upload. */
export interface SendContext {
  readonly client: Client
  readonly upload: Upload & { readonly uploadToken: string }
  readonly retryPolicy: RetryPolicy
  readonly rateLimit: RateLimit
  readonly signal: AbortSignal
  /** Adds transferred bytes; negative when an attempt restarts. */
  readonly onBytes: (bytes: number) => void
  /** Encrypts the files; undefined for plain uploads. */
  readonly encryptor?: FileEncryptor | undefined
  /** Hashes the contents for the manifest; undefined for uploads without one. */
  readonly digests?: PlainDigests | undefined
}

/** An item that is to be sent. */
export interface SendTask {
  readonly item: Item
  readonly target: SendTarget
  /** The key with which an earlier run began to send the file. */
  readonly key?: SavedKey | undefined
  /** Called before the first byte of a new file. */
  readonly onBegun: (id: string) => Promise<void>
  /** Called before the first byte that a key encrypts, if the file can resume in another run. */
  readonly onKey: (key: SavedKey) => Promise<void>
}

/** A file on the server. */
export interface SentFile {
  readonly id: string
  /** Undefined until the server is asked for it. */
  readonly file?: File
}

/**
 * Bytes that go to the server.
 * @param size bytes of the local file
 */
export const sentSize = (size: number, encryptor: FileEncryptor | undefined): number =>
  encryptor?.sizeOf(size) ?? size

/**
 * Bytes of a sent file here, where it is not encrypted.
 * @param size bytes of the file on the server
 */
export const originalSize = (item: Item, size: number, encryptor: FileEncryptor | undefined): number =>
  item.size ?? encryptor?.plainSizeOf(size) ?? size

/** Larger files are sent in parts, so that they can resume. Bytes. */
const partsFrom = 1024 * 1024

/** The state of a file over all attempts. */
interface SendState extends SendContext {
  readonly task: SendTask
  /** Id of a file of which the server may have a part. */
  started: string | undefined
  /** Whether the SDK has retried parts of the file. */
  hasRetried: boolean
  readonly encrypt: EncryptFile | undefined
}

/**
 * Sends a file to the server. After a broken connection it retries if the bytes can be read again.
 * @throws Failure, ApiError, the signal's reason
 */
export async function sendFile(context: SendContext, task: SendTask): Promise<SentFile> {
  const { item } = task
  let { target } = task
  if (target.kind === 'arrived') return arrived(context, target.file)
  const isKept = item.kind === 'file' && item.size > partsFrom
  const state: SendState = {
    ...context,
    task,
    started: target.kind === 'declared' && isPartial(target.file) ? target.file.id : undefined,
    hasRetried: false,
    encrypt: await context.encryptor?.encrypt(
      item.name,
      isKept ? { saved: task.key, save: task.onKey } : undefined,
    ),
  }
  for (let failed = 0; ;) {
    if (target.kind === 'arrived') return arrived(context, target.file)
    try {
      return await attempt(state, target)
    } catch (error) {
      failed += 1
      if (item.kind === 'stream' || context.upload.stream) throw error
      // The parts of the file have had all retries.
      if (state.hasRetried && isTransient(error)) throw error
      await waitBeforeRetry(context.retryPolicy, failed, error)
      target = await nextTarget(state, target)
    }
  }
}

function arrived({ onBytes }: SendContext, file: File): SentFile {
  onBytes(file.fileSize)
  return { id: file.id, file }
}

/** The target of the next attempt. While the server does not respond, it is the same. */
async function nextTarget(state: SendState, target: SendTarget): Promise<SendTarget> {
  const { client, upload, encryptor, task, started } = state
  const id = started ?? (target.kind === 'declared' ? target.file.id : undefined)
  if (id === undefined) return target
  const now = await client.upload(upload.id, upload).catch(() => undefined)
  if (now === undefined) return target
  const { size } = task.item
  const next = targetOf(
    now.files.find((file) => file.id === id),
    size === undefined ? undefined : sentSize(size, encryptor),
  )
  if (next.kind === 'new') state.started = undefined
  return next
}

async function attempt(
  state: SendState,
  target: Exclude<SendTarget, { readonly kind: 'arrived' }>,
): Promise<SentFile> {
  const { client, upload, rateLimit, retryPolicy, signal, onBytes, encrypt, digests, task } = state
  const { item } = task
  const opened = await openSource(item, { rateLimit, signal })
  const plain = digests?.watch(item, opened.source) ?? opened.source
  const source = encrypt === undefined ? plain : encrypt(plain, signal)
  let sent = 0
  const form = {
    uploadToken: upload.uploadToken,
    e2ee: upload.e2ee,
    signal,
    onProgress: (progress: { readonly sent: number }) => {
      onBytes(progress.sent - sent)
      sent = progress.sent
    },
  }
  const fileID = target.kind === 'declared' ? target.file.id : undefined
  const options = { ...form, fileName: item.name, fileID }
  const send = async (): Promise<SentFile> => {
    if (target.kind === 'declared' && upload.stream)
      return whole(await client.sendStream(upload.id, target.file, source, form))
    if (!isInParts(task, target)) return whole(await client.addFile(upload.id, source, options))
    const resumable = {
      threshold: -1,
      memory: memoryOf(state),
      fingerprint: item.name,
      retries: retryPolicy.retries,
      onInterruption: (error: unknown, delay: number) => {
        state.hasRetried = true
        retryPolicy.onInterruption?.(error, delay)
      },
    }
    return { id: await client.sendFile(upload.id, source, { ...options, resumable }) }
  }
  try {
    const result = await send()
    await checkArrived(opened.check, result.file, sent).catch(async (error: unknown) => {
      const file = { id: result.id, fileName: item.name }
      await client.removeFile(upload.id, file, upload).catch(() => undefined)
      throw error
    })
    return result
  } catch (error) {
    onBytes(-sent)
    throw error
  } finally {
    await opened.close()
  }
}

const whole = (file: File): SentFile => ({ id: file.id, file })

/**
 * Whether a file is sent in parts. A new one always is: it may have a name with folders then, and its id is known before its
 * first byte is sent.
 */
const isInParts = ({ item }: SendTask, target: SendTarget): boolean =>
  item.kind === 'file' &&
  (item.size > partsFrom || target.kind === 'new' || (target.kind === 'declared' && isPartial(target.file)))

/** Where an attempt resumes after the previous one. */
const memoryOf = (state: SendState): ResumeMemory => ({
  get: () => state.started,
  set: async (_key, id) => {
    if (id === state.started) return
    state.started = id
    const { target, onBegun } = state.task
    if (target.kind !== 'declared' || target.file.id !== id) await onBegun(id)
  },
  remove: () => {
    state.started = undefined
  },
})

/** @param file the file that the server received, if it is known */
async function checkArrived(check: () => Promise<void>, file: File | undefined, sent: number): Promise<void> {
  await check()
  const fault = file && sizeFault(file, sent)
  if (fault !== undefined) throw new Failure(fault)
}

/** The error of a file of which the server has another number of bytes; undefined when it has all. */
export const sizeFault = ({ fileName, fileSize }: File, sent: number): string | undefined =>
  fileSize === sent
    ? undefined
    : `${fileName}: the server received ${String(fileSize)} of ${String(sent)} bytes`
