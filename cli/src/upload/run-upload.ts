import type { File, Upload, UploadOptions } from '@svc/contract'
import { inParallel } from '../transfer/in-parallel.ts'
import type { Item } from '../files/item.ts'
import { sendFile, sentSize, type SendContext } from './send-file.ts'

/** The result of one item. */
export interface SendResult {
  readonly item: Item
  /** As the server declared or stored it. */
  readonly file: File
  readonly error?: unknown
}

export interface RunOptions extends Omit<SendContext, 'upload'> {
  readonly concurrency: number
  readonly onCreated: (upload: CreatedUpload) => Promise<void> | void
  readonly onSent: (sent: SendResult) => void
}

export type CreatedUpload = Upload & { readonly uploadToken: string }

/**
 * Creates an upload and sends its files. Failures are part of the result; an interrupt, or a failure of all files,
 * leaves no upload behind.
 * @throws the signal's reason; ApiError when the upload is refused
 */
export async function runUpload(
  options: UploadOptions,
  items: readonly Item[],
  { concurrency, onCreated, onSent, ...sending }: RunOptions,
): Promise<{ readonly upload: CreatedUpload; readonly sent: readonly SendResult[] }> {
  const { client, signal } = sending
  signal.throwIfAborted()
  const upload = await create(sending, options, items)
  const sent: SendResult[] = []
  try {
    await onCreated(upload)
    const pairs = items.map((item, index) => ({ item, file: declaredAs(upload, index) }))
    await inParallel(pairs, upload.stream ? Infinity : concurrency, async ({ item, file }) => {
      const result = await settle(() => sendFile({ ...sending, upload }, item, file), { item, file })
      signal.throwIfAborted()
      sent.push(result)
      onSent(result)
    })
    signal.throwIfAborted()
  } catch (error) {
    await client.removeUpload(upload.id, upload).catch(() => undefined)
    throw error
  }
  if (sent.every(({ error }) => error !== undefined))
    await client.removeUpload(upload.id, upload).catch(() => undefined)
  return { upload, sent: sent.toSorted((a, b) => items.indexOf(a.item) - items.indexOf(b.item)) }
}

async function create(
  { client, encryptor }: Pick<SendContext, 'client' | 'encryptor'>,
  options: UploadOptions,
  items: readonly Item[],
): Promise<CreatedUpload> {
  const files = items.map((item, index) => ({
    reference: String(index),
    fileName: item.name,
    ...(item.size !== undefined && { fileSize: sentSize(item.size, encryptor) }),
  }))
  const upload = await client.createUpload({ ...options, files })
  return { ...upload, uploadToken: upload.uploadToken ?? '' }
}

function declaredAs(upload: Upload, index: number): File {
  const file = upload.files.find(({ reference }) => reference === String(index))
  if (file === undefined) throw new TypeError('the server did not take a declared file')
  return file
}

async function settle(send: () => Promise<File>, { item, file }: SendResult): Promise<SendResult> {
  try {
    return { item, file: await send() }
  } catch (error) {
    return { item, file, error }
  }
}
