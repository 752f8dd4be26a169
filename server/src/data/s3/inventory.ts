import type { ListMultipartUploadsCommandInput } from '@aws-sdk/client-s3'
import { pairByKey } from '../../domain/collections/pair-by-key.ts'
import { MissingDataError } from '../backend/backend.ts'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import { groupByKey, type ListedObject } from '../backend/group-by-key.ts'
import { checkKey, isKey } from '../backend/key.ts'
import type { S3 } from './client/client.ts'
import { callStore } from './client/failures.ts'
import { abortUnfinished } from './objects/multipart.ts'
import { removeTails } from './resumable/remove.ts'
import { tailPrefix } from './resumable/session.ts'

/** A key with multipart uploads that were neither completed nor aborted. */
interface UnfinishedKey {
  readonly key: string
  /** Start of the newest of them, in milliseconds since the epoch. */
  readonly startedAt: number
}

/** The objects and unfinished multipart uploads of a bucket. S3 lists both in the order of their names. */
export function s3Inventory(s3: S3): Inventory {
  /** @param prefix start of the keys */
  async function* unfinishedKeys(prefix: string): AsyncGenerator<UnfinishedKey, void> {
    let last: UnfinishedKey | undefined
    for await (const { key, startedAt } of unfinishedUploads(s3, prefix)) {
      if (!isKey(key)) continue
      if (last !== undefined && last.key !== key) yield last
      last = { key, startedAt: Math.max(startedAt, last?.key === key ? last.startedAt : 0) }
    }
    if (last !== undefined) yield last
  }
  return {
    async *list() {
      const stored = groupByKey(objects(s3, ''), { hasManifests: false })
      for await (const { key, left, right } of pairByKey(stored, unfinishedKeys('')))
        yield mergeKeys(key, left, right)
    },
    async inspect(key) {
      checkKey(key)
      const whole = await describe(s3, key)
      const [tail] = await firstOf(objects(s3, tailPrefix(key)))
      const [unfinished] = await firstOf(only(key, unfinishedKeys(key)))
      if (whole === undefined && tail === undefined && unfinished === undefined) return null
      const times = [whole?.modifiedAt, tail?.modifiedAt, unfinished?.startedAt]
      return {
        key,
        size: whole?.size ?? null,
        unfinished: tail !== undefined || unfinished !== undefined,
        modifiedAt: Math.max(...times.map((time) => time ?? 0)),
      }
    },
    async removeUnfinished(key) {
      checkKey(key)
      await abortUnfinished(s3, key)
      await removeTails(s3, key)
    },
  }
}

function mergeKeys(
  key: string,
  stored: StoredKey | undefined,
  unfinished: UnfinishedKey | undefined,
): StoredKey {
  return {
    key,
    size: stored?.size ?? null,
    unfinished: unfinished !== undefined || stored?.unfinished === true,
    modifiedAt: Math.max(stored?.modifiedAt ?? 0, unfinished?.startedAt ?? 0),
  }
}

/** All objects whose names have a prefix, page by page. */
async function* objects(s3: S3, begin: string): AsyncGenerator<ListedObject, void> {
  const { prefix } = s3.options
  let page: string | undefined
  for (let more = true; more;) {
    const response = await objectsPage(s3, begin, page)
    for (const { Key = '', Size = 0, LastModified } of response.Contents ?? [])
      yield { name: Key.slice(prefix.length), size: Size, modifiedAt: LastModified?.getTime() ?? 0 }
    page = response.NextContinuationToken
    more = response.IsTruncated === true && page !== undefined
  }
}

function objectsPage({ sdk, writeClient, location }: S3, begin: string, page: string | undefined) {
  const { Bucket, Key: Prefix } = location(begin)
  const next = page === undefined ? {} : { ContinuationToken: page }
  const list = new sdk.ListObjectsV2Command({ Bucket, Prefix, ...next })
  return callStore('list its files', () => writeClient.send(list))
}

async function* unfinishedUploads(s3: S3, begin: string): AsyncGenerator<UnfinishedKey, void> {
  const { prefix } = s3.options
  let after: UploadMarkers = {}
  for (let more = true; more;) {
    const response = await uploadsPage(s3, begin, after)
    for (const { Key = '', Initiated } of response.Uploads ?? [])
      yield { key: Key.slice(prefix.length), startedAt: Initiated?.getTime() ?? 0 }
    const { NextKeyMarker, NextUploadIdMarker } = response
    if (NextKeyMarker !== undefined) after = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker }
    more = response.IsTruncated === true && NextKeyMarker !== undefined
  }
}

/** The position of the next page of unfinished uploads. */
type UploadMarkers = Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'>

function uploadsPage({ sdk, writeClient, location }: S3, begin: string, after: UploadMarkers) {
  const { Bucket, Key: Prefix } = location(begin)
  const list = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix, ...after })
  return callStore('list unfinished files', () => writeClient.send(list))
}

async function describe({ sdk, writeClient, location }: S3, key: string) {
  const command = new sdk.HeadObjectCommand(location(key))
  try {
    const { ContentLength = 0, LastModified } = await callStore('find a file', () =>
      writeClient.send(command),
    )
    return { size: ContentLength, modifiedAt: LastModified?.getTime() ?? 0 }
  } catch (error) {
    if (error instanceof MissingDataError) return undefined
    throw error
  }
}

async function* only(
  key: string,
  unfinished: AsyncIterable<UnfinishedKey>,
): AsyncGenerator<UnfinishedKey, void> {
  for await (const candidate of unfinished) if (candidate.key === key) yield candidate
}

async function firstOf<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  for await (const value of values) return [value]
  return []
}
