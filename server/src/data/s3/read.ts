import type { Readable } from 'node:stream'
import { MissingDataError, StoreUnavailableError, type ByteRange } from '../backend/backend.ts'
import { storeBody, type StoreBody } from '../network/body.ts'
import { isEmpty, noBytes, rangeHeader } from '../network/byte-range.ts'
import { resumedRead } from '../network/resumed-read.ts'
import type { S3 } from './client.ts'
import { asked, etagOf } from './failures.ts'

/** The stored bytes of a key, or a range of them. @throws MissingDataError, StoreUnavailableError */
export async function readObject(
  s3: S3,
  key: string,
  range: ByteRange | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (isEmpty(range)) {
    await storedSize(s3, key)
    return noBytes
  }
  return allOf(s3, key, await openObject(s3, key, range), range?.start ?? 0)
}

/** The bytes of one object that is known. @throws MissingDataError when it is gone, or another one has taken its place */
export async function readKnown(
  s3: S3,
  name: string,
  { etag, length }: { readonly etag: string; readonly length: number },
): Promise<AsyncIterable<Uint8Array>> {
  const found = await openObject(s3, name, undefined)
  if (found.etag === etag && found.length === length) return allOf(s3, name, found, 0)
  found.body.cut()
  throw new MissingDataError('the store has something else of this name')
}

function allOf(s3: S3, key: string, first: OpenObject, start: number): AsyncIterable<Uint8Array> {
  return resumedRead(first.body, {
    length: first.length,
    async reopen(from) {
      const rest = { start: start + from, end: start + first.length - 1 }
      return (await openObject(s3, key, rest, first.etag)).body
    },
  })
}

interface OpenObject {
  readonly body: StoreBody
  /** Bytes that are to come. */
  readonly length: number
  readonly etag: string
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
  const answer = await asked('give a file', () => reading.send(command))
  const { Body, ContentLength = 0, ContentRange = '' } = answer
  const body = storeBody(Body as unknown as Readable, patience.idle)
  try {
    // Bytes from elsewhere in a file, or of another one, must not go on where a connection was cut.
    if (range !== undefined && !ContentRange.startsWith(`bytes ${String(range.start)}-`))
      throw new StoreUnavailableError(`byte ${String(range.start)} was asked for, and another came`)
    return { body, length: ContentLength, etag: etagOf(answer) }
  } catch (error) {
    body.cut()
    throw error
  }
}

/** Bytes. @throws MissingDataError, StoreUnavailableError */
export async function storedSize({ sdk, writing, place }: S3, key: string): Promise<number> {
  const command = new sdk.HeadObjectCommand(place(key))
  const { ContentLength = 0 } = await asked('find a file', () => writing.send(command))
  return ContentLength
}
