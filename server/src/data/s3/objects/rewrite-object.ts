import type { CompletedPart } from '@aws-sdk/client-s3'
import type { S3 } from '../client/client.ts'
import { callStore } from '../client/failures.ts'
import { abortUnfinished, completeUpload, createUpload, sendPart, type MultipartUpload } from './multipart.ts'

/** The maximum of bytes that one request copies; S3 allows five times as many. */
const maxCopiedBytes = 1024 ** 3

export interface RewriteOptions {
  readonly key: string
  /** Bytes of the existing object that are kept: at least the minimum size of a part. */
  readonly kept: number
  /** Bytes to append. */
  readonly tail: Uint8Array
}

/** Replaces an object by its first bytes and a tail. Only the tail is uploaded; the store copies the rest. */
export async function rewriteObject(s3: S3, { key, kept, tail }: RewriteOptions): Promise<void> {
  const upload = { key, id: await createUpload(s3, key) }
  const count = Math.ceil(kept / maxCopiedBytes)
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
  // Interrupted attempts may have started other uploads.
  await abortUnfinished(s3, key)
}

async function copyPart(
  { sdk, writeClient, location }: S3,
  { key, id }: MultipartUpload,
  { number, range }: { readonly number: number; readonly range: string },
): Promise<CompletedPart> {
  const { Bucket, Key } = location(key)
  const command = new sdk.UploadPartCopyCommand({
    Bucket,
    Key,
    UploadId: id,
    PartNumber: number,
    CopySource: encodeURI(`${Bucket}/${Key}`),
    CopySourceRange: range,
  })
  const { CopyPartResult } = await callStore('copy a part', () => writeClient.send(command))
  return { PartNumber: number, ETag: CopyPartResult?.ETag }
}
