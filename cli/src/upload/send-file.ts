import type { File, Upload } from '@svc/contract'
import { waitBeforeRetry, type Client, type ResumeMemory, type RetryPolicy } from '@svc/sdk'
import type { EncryptFile, FileEncryptor } from './file-encryptor.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import type { RateLimit } from '../transfer/rate-limit.ts'
import type { Item } from '../files/item.ts'
import { openSource } from '../files/source.ts'

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
}

/**
 * Bytes that go to the server.
 * @param size of the file here
 */
export const sentSize = (size: number, encryptor: FileEncryptor | undefined): number =>
  encryptor?.sizeOf(size) ?? size

/** The state of a file over all attempts. */
interface Attempting extends SendContext {
  readonly memory: Map<string, string>
  readonly encrypt: EncryptFile | undefined
}

/**
 * Sends a file to the server. After a broken connection it retries if the bytes can be read again.
 * @param declared the declared file on the server
 * @throws Failure, ApiError, the signal's reason
 */
export async function sendFile(sending: SendContext, item: Item, declared: File): Promise<File> {
  let target: SendTarget = { kind: 'declared' }
  const attempting = {
    ...sending,
    memory: new Map<string, string>(),
    encrypt: await sending.encryptor?.encrypt(item.name),
  }
  for (let failed = 0; ;) {
    if (target.kind === 'arrived') return target.file
    try {
      return await attempt(attempting, item, declared, target.kind)
    } catch (error) {
      failed += 1
      if (item.kind === 'stream' || sending.upload.stream) throw error
      await waitBeforeRetry(sending.retryPolicy, failed, error)
      target = await nextTarget(sending, item, declared, error)
    }
  }
}

/** The target of the next attempt, because a declared file accepts bytes once. */
type SendTarget =
  | { readonly kind: 'declared' | 'added' }
  /** The response was lost, not the file. */
  | { readonly kind: 'arrived'; readonly file: File }

async function nextTarget(
  { client, upload, encryptor }: SendContext,
  item: Item,
  declared: File,
  error: unknown,
): Promise<SendTarget> {
  const files = await client.upload(upload.id, upload).then(
    (now) => now.files,
    () => [],
  )
  const known = files.find(({ id }) => id === declared.id)
  if (known === undefined || known.status === 'missing') return { kind: 'declared' }
  // It was sent in parts, and resumes where it stopped.
  if (known.status === 'uploading' && known.offset !== undefined) return { kind: 'declared' }
  const size = item.size === undefined ? undefined : sentSize(item.size, encryptor)
  if (known.status === 'uploaded' && known.fileSize === size) return { kind: 'arrived', file: known }
  // Only a declared file may stand in a folder.
  if (item.name.includes('/'))
    throw new Failure(
      `${item.name}: the connection was lost, and the server does not accept the file again`,
      exitCodes.unreachable,
      error,
    )
  return { kind: 'added' }
}

async function attempt(
  { client, upload, rateLimit, signal, onBytes, memory, encrypt, encryptor }: Attempting,
  item: Item,
  declared: File,
  target: 'declared' | 'added',
): Promise<File> {
  const opened = await openSource(item, { rateLimit, signal })
  const source = encrypt === undefined ? opened.source : encrypt(opened.source, signal)
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
  try {
    const file = upload.stream
      ? await client.sendStream(upload.id, declared, source, form)
      : await client.addFile(upload.id, source, {
          ...form,
          fileName: item.name,
          fileID: target === 'declared' ? declared.id : undefined,
          resumable: { memory: memoryIn(memory), fingerprint: declared.id },
        })
    await checkArrived(
      opened.check,
      file,
      item.kind === 'file' ? sentSize(item.size, encryptor) : sent,
    ).catch(async (error: unknown) => {
      await client.removeFile(upload.id, file, upload).catch(() => undefined)
      throw error
    })
    return file
  } catch (error) {
    onBytes(-sent)
    throw error
  } finally {
    await opened.close()
  }
}

/** Where an attempt resumes after the previous one. */
const memoryIn = (memory: Map<string, string>): ResumeMemory => ({
  get: (key) => memory.get(key),
  set: (key, value) => {
    memory.set(key, value)
  },
  remove: (key) => {
    memory.delete(key)
  },
})

async function checkArrived(check: () => Promise<void>, file: File, sent: number): Promise<void> {
  await check()
  if (file.fileSize !== sent)
    throw new Failure(
      `${file.fileName}: the server received ${String(file.fileSize)} of ${String(sent)} bytes`,
    )
}
