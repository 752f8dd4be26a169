import type { CompletedPart } from '@aws-sdk/client-s3'
import type { S3 } from './client.ts'
import { asked } from './failures.ts'
import { abortUnfinished, completeUpload, createUpload, sendPart, type Upload } from './multipart.ts'

/** Bytes that a store copies with one request; S3 does five times as many. */
const mostCopied = 1024 ** 3

export interface Composition {
  readonly key: string
  /** Bytes of the object that stands there now which are kept: at least as many as a part must have. */
  readonly kept: number
  /** Bytes that come behind them. */
  readonly tail: Uint8Array
}

/** Replaces an object by its first bytes and a tail. Only the tail comes from here, the store copies the rest. */
export async function recompose(s3: S3, { key, kept, tail }: Composition): Promise<void> {
  const upload = { key, id: await createUpload(s3, key) }
  const count = Math.ceil(kept / mostCopied)
  const size = Math.ceil(kept / count)
  const parts: CompletedPart[] = []
  for (let start = 0; start < kept; start += size) {
    const end = Math.min(start + size, kept) - 1
    parts.push(
      await copyPart(s3, upload, {
        number: parts.length + 1,
        range: `bytes=${String(start)}-${String(end)}`,
      }),
    )
  }
  if (tail.length > 0) parts.push(await sendPart(s3, upload, { bytes: tail, number: parts.length + 1 }))
  await completeUpload(s3, upload, { parts, size: kept + tail.length })
  // A try that was cut may have begun others.
  await abortUnfinished(s3, key)
}

async function copyPart(
  { sdk, writing, place }: S3,
  { key, id }: Upload,
  { number, range }: { readonly number: number; readonly range: string },
): Promise<CompletedPart> {
  const { Bucket, Key } = place(key)
  const command = new sdk.UploadPartCopyCommand({
    ...{ Bucket, Key, UploadId: id, PartNumber: number },
    ...{ CopySource: encodeURI(`${Bucket}/${Key}`), CopySourceRange: range },
  })
  const { CopyPartResult } = await asked('copy a part', () => writing.send(command))
  return { PartNumber: number, ETag: CopyPartResult?.ETag }
}
