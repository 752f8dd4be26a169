import type { Readable } from 'node:stream'
import { MissingDataError, StoreUnavailableError, type ByteRange } from '../../backend/backend.ts'
import { storeBody, type StoreBody } from '../../network/body.ts'
import { isEmpty, noBytes, rangeHeader } from '../../network/byte-range.ts'
import { resumedRead } from '../../network/resumed-read.ts'
import type { S3 } from '../client/client.ts'
import { callStore, etagOf } from '../client/failures.ts'
import { pingBucket } from '../client/ping.ts'

/**
 * The stored bytes of a key, or a range of them.
 * @throws MissingDataError, StoreUnavailableError
 */
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

/**
 * The bytes of one version of an object.
 * @throws MissingDataError when it was removed or replaced
 */
export async function readVersion(
  s3: S3,
  name: string,
  { etag, length }: { readonly etag: string; readonly length: number },
): Promise<AsyncIterable<Uint8Array>> {
  const found = await openObject(s3, name, undefined)
  if (found.etag === etag && found.length === length) return allOf(s3, name, found, 0)
  found.body.destroy()
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
  /** Bytes of the body. */
  readonly length: number
  readonly etag: string
}

/** @param etag ETag of the required version */
async function openObject(
  { sdk, readClient, location, timeouts }: S3,
  key: string,
  range: ByteRange | undefined,
  etag?: string,
): Promise<OpenObject> {
  const command = new sdk.GetObjectCommand({
    ...location(key),
    ...(range !== undefined && { Range: rangeHeader(range) }),
    ...(etag !== undefined && { IfMatch: etag }),
  })
  const response = await callStore('read a file', () => readClient.send(command))
  const { Body, ContentLength = 0, ContentRange = '' } = response
  const body = storeBody(Body as unknown as Readable, timeouts.idle)
  try {
    // Bytes of another range or version must not continue a broken download.
    if (range !== undefined && !ContentRange.startsWith(`bytes ${String(range.start)}-`))
      throw new StoreUnavailableError(`the store did not send the requested byte ${String(range.start)}`)
    return { body, length: ContentLength, etag: etagOf(response) }
  } catch (error) {
    body.destroy()
    throw error
  }
}

/**
 * The size of a stored object in bytes.
 * @throws MissingDataError, StoreUnavailableError
 */
export async function storedSize(s3: S3, key: string): Promise<number> {
  const { sdk, writeClient, location } = s3
  const command = new sdk.HeadObjectCommand(location(key))
  try {
    const { ContentLength = 0 } = await callStore('find a file', () => writeClient.send(command))
    return ContentLength
  } catch (error) {
    // The response to a HEAD does not say whether the object or the bucket is missing.
    if (error instanceof MissingDataError) await pingBucket(s3, new AbortController().signal)
    throw error
  }
}
