import type { CompletedPart } from '@aws-sdk/client-s3'
import type { Part } from '../network/gather-parts.ts'
import type { S3 } from './client.ts'
import { asked, isNamed } from './failures.ts'

/** A file that goes to the store in parts, and is there when it is completed. */
export interface Multipart {
  readonly send: (part: Part, signal: AbortSignal) => Promise<void>
  /** @param size bytes of all parts */
  readonly complete: (size: number, signal: AbortSignal) => Promise<void>
  /** Nothing stays of its parts. */
  readonly abort: (signal: AbortSignal) => Promise<void>
}

export async function beginMultipart(s3: S3, key: string, signal: AbortSignal): Promise<Multipart> {
  const { sdk, writing, place, options } = s3
  const encryption = options.sse === '' ? {} : { ServerSideEncryption: options.sse }
  const create = new sdk.CreateMultipartUploadCommand({ ...place(key), ...encryption })
  const { UploadId } = await asked('begin a file', () => writing.send(create, { abortSignal: signal }))
  const upload = { ...place(key), UploadId }
  const parts: CompletedPart[] = []

  return {
    async send({ bytes, number }, abortSignal) {
      const command = new sdk.UploadPartCommand({ ...upload, PartNumber: number, Body: bytes })
      const { ETag } = await asked('take a part', () => writing.send(command, { abortSignal }))
      parts.push({ PartNumber: number, ETag })
    },
    async complete(size, abortSignal) {
      const inOrder = parts.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0))
      const command = new sdk.CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: inOrder },
      })
      try {
        await asked('complete a file', () => writing.send(command, { abortSignal }))
      } catch (error) {
        abortSignal.throwIfAborted()
        // The answer may have been lost, or may have come too late: the next try then finds no such upload.
        if (!(await isStored(s3, key, size))) throw error
      }
    },
    abort: (abortSignal) => abortUpload(s3, key, UploadId, abortSignal),
  }
}

async function isStored({ sdk, writing, place }: S3, key: string, size: number): Promise<boolean> {
  try {
    const { ContentLength } = await writing.send(new sdk.HeadObjectCommand(place(key)))
    return ContentLength === size
  } catch {
    return false
  }
}

async function abortUpload(
  { sdk, writing, place }: S3,
  key: string,
  UploadId: string | undefined,
  abortSignal?: AbortSignal,
): Promise<void> {
  const command = new sdk.AbortMultipartUploadCommand({ ...place(key), UploadId })
  await asked('give a file up', async () => {
    try {
      await writing.send(command, abortSignal && { abortSignal })
    } catch (error) {
      if (!isNamed(error, 'NoSuchUpload')) throw error
    }
  })
}

/** Gives all files up that were begun under a key and never completed, by whomever. */
export async function abortUnfinished(s3: S3, key: string): Promise<void> {
  const { sdk, writing, place } = s3
  const { Bucket, Key } = place(key)
  const command = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key })
  const { Uploads = [] } = await asked('list unfinished files', () => writing.send(command))
  for (const upload of Uploads) {
    if (upload.Key === Key) await abortUpload(s3, key, upload.UploadId)
  }
}
