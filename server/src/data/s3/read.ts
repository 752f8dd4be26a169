import type { Readable } from 'node:stream'
import type { ByteRange } from '../backend.ts'
import { storeBody, type StoreBody } from '../network/body.ts'
import { isEmpty, noBytes, rangeHeader } from '../network/byte-range.ts'
import { resumedRead } from '../network/resumed-read.ts'
import type { S3 } from './client.ts'
import { asked } from './failures.ts'

/** The stored bytes of a key, or a range of them. @throws MissingDataError, StoreUnavailableError */
export async function readObject(
  s3: S3,
  key: string,
  range: ByteRange | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (isEmpty(range)) {
    await requireObject(s3, key)
    return noBytes
  }
  const first = await openObject(s3, key, range)
  return resumedRead(first.body, {
    length: first.length,
    async reopen(from) {
      const start = (range?.start ?? 0) + from
      const end = (range?.start ?? 0) + first.length - 1
      return (await openObject(s3, key, { start, end }, first.etag)).body
    },
  })
}

interface OpenObject {
  readonly body: StoreBody
  /** Bytes that are to come. */
  readonly length: number
  readonly etag: string | undefined
}

/** @param etag of the only version that is wanted */
async function openObject(
  { sdk, reading, place, patience }: S3,
  key: string,
  range: ByteRange | undefined,
  etag?: string,
): Promise<OpenObject> {
  const command = new sdk.GetObjectCommand({
    ...place(key),
    ...(range !== undefined && { Range: rangeHeader(range) }),
    ...(etag !== undefined && { IfMatch: etag }),
  })
  const { Body, ContentLength = 0, ETag } = await asked('give a file', () => reading.send(command))
  const body = storeBody(Body as unknown as Readable, patience.idle)
  return { body, length: ContentLength, etag: ETag }
}

async function requireObject({ sdk, writing, place }: S3, key: string): Promise<void> {
  await asked('find a file', () => writing.send(new sdk.HeadObjectCommand(place(key))))
}
