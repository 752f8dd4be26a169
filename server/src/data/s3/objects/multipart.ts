import type { CompletedPart } from '@aws-sdk/client-s3'
import type { Part } from '../../network/gather-parts.ts'
import type { S3 } from '../client/client.ts'
import { callStore, etagOf, isNamed } from '../client/failures.ts'
import { storedSize } from './read.ts'

/** A multipart upload, whose object exists once it is completed. */
export interface Multipart {
  readonly send: (part: Part, signal: AbortSignal) => Promise<void>
  /** @param size bytes of all parts */
  readonly complete: (size: number, signal: AbortSignal) => Promise<void>
  /** Removes all parts. */
  readonly abort: (signal: AbortSignal) => Promise<void>
}

export async function beginMultipart(s3: S3, key: string, signal: AbortSignal): Promise<Multipart> {
  const upload = { key, id: await createUpload(s3, key, signal) }
  const parts: CompletedPart[] = []

  return {
    async send(part, abortSignal) {
      parts.push(await sendPart(s3, upload, part, abortSignal))
    },
    async complete(size, abortSignal) {
      const inOrder = parts.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0))
      await completeUpload(s3, upload, { parts: inOrder, size }, abortSignal)
    },
    abort: (abortSignal) => abortUpload(s3, upload, abortSignal),
  }
}

/** The id of a multipart upload. */
export interface MultipartUpload {
  readonly key: string
  readonly id: string | undefined
}

const idOf = ({ location }: S3, { key, id }: MultipartUpload) => ({ ...location(key), UploadId: id })

export async function createUpload(
  s3: S3,
  key: string,
  abortSignal?: AbortSignal,
): Promise<string | undefined> {
  const { sdk, writeClient, location, options } = s3
  const encryption = options.sse === '' ? {} : { ServerSideEncryption: options.sse }
  const create = new sdk.CreateMultipartUploadCommand({ ...location(key), ...encryption })
  const ask = () => writeClient.send(create, abortSignal && { abortSignal })
  return (await callStore('begin an upload', ask)).UploadId
}

interface SentPart extends CompletedPart {
  readonly ETag: string
}

export async function sendPart(
  s3: S3,
  upload: MultipartUpload,
  { bytes, number }: Pick<Part, 'bytes' | 'number'>,
  abortSignal?: AbortSignal,
): Promise<SentPart> {
  const { sdk, writeClient } = s3
  const command = new sdk.UploadPartCommand({ ...idOf(s3, upload), PartNumber: number, Body: bytes })
  const response = await callStore('store a part', () =>
    writeClient.send(command, abortSignal && { abortSignal }),
  )
  return { PartNumber: number, ETag: etagOf(response) }
}

/** @param whole the parts in their order, and the sum of their sizes */
export async function completeUpload(
  s3: S3,
  upload: MultipartUpload,
  { parts, size }: { readonly parts: readonly CompletedPart[]; readonly size: number },
  abortSignal?: AbortSignal,
): Promise<void> {
  const { sdk, writeClient } = s3
  const command = new sdk.CompleteMultipartUploadCommand({
    ...idOf(s3, upload),
    MultipartUpload: { Parts: parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag })) },
  })
  try {
    etagOf(
      await callStore('complete an upload', () => writeClient.send(command, abortSignal && { abortSignal })),
    )
  } catch (error) {
    abortSignal?.throwIfAborted()
    // The response of an earlier attempt may have been lost: a retry then finds no such upload.
    if (!(await isStored(s3, upload.key, size))) throw error
  }
}

async function isStored(s3: S3, key: string, size: number): Promise<boolean> {
  return (await storedSize(s3, key).catch(() => undefined)) === size
}

export async function abortUpload(s3: S3, upload: MultipartUpload, abortSignal?: AbortSignal): Promise<void> {
  const { sdk, writeClient } = s3
  const command = new sdk.AbortMultipartUploadCommand(idOf(s3, upload))
  await callStore('abort an upload', async () => {
    try {
      await writeClient.send(command, abortSignal && { abortSignal })
    } catch (error) {
      if (!isNamed(error, 'NoSuchUpload')) throw error
    }
  })
}

export interface ListedPart {
  readonly PartNumber: number
  readonly ETag: string
  /** Bytes. */
  readonly Size: number
}

/** All parts that the store has, in their order. */
export async function listParts(s3: S3, upload: MultipartUpload): Promise<readonly ListedPart[]> {
  const { sdk, writeClient } = s3
  const listed: ListedPart[] = []
  // The paginator of the SDK does not end if a store, such as Ceph, sends a marker after the last part.
  for (let after: string | undefined; ;) {
    const marker = after === undefined ? {} : { PartNumberMarker: after }
    const command = new sdk.ListPartsCommand({ ...idOf(s3, upload), ...marker })
    const page = await callStore('list the parts of a file', () => writeClient.send(command))
    for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
      listed.push({ PartNumber, ETag, Size })
    after = page.NextPartNumberMarker
    if (page.IsTruncated !== true || after === undefined) break
  }
  return listed.sort((a, b) => a.PartNumber - b.PartNumber)
}

/** Aborts all unfinished multipart uploads of a key. */
export async function abortUnfinished(s3: S3, key: string): Promise<void> {
  const { sdk, writeClient, location } = s3
  const { Bucket, Key } = location(key)
  const command = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key })
  const { Uploads = [] } = await callStore('list unfinished files', () => writeClient.send(command))
  for (const upload of Uploads) {
    if (upload.Key === Key) await abortUpload(s3, { key, id: upload.UploadId })
  }
}
