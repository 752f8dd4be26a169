import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { StoreUnavailableError } from '../../backend/backend.ts'
import type { S3 } from '../client/client.ts'
import { callStore, isRejected } from '../client/failures.ts'
import { deleteObject } from './write.ts'

/** The number of concurrent requests to a store without `DeleteObjects`. */
const concurrency = 8

/** The maximum number of keys of a `DeleteObjects` request. */
const maxKeys = 1_000

/**
 * Removes the objects of several keys, with few requests if the store supports `DeleteObjects`. A missing object counts as
 * removed.
 * @returns the errors of the keys whose object could not be removed
 * @throws StoreUnavailableError
 */
export async function removeMany(s3: S3, keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  for (let from = 0; from < keys.length; from += maxKeys)
    for (const [key, error] of await removeSome(s3, keys.slice(from, from + maxKeys)))
      failures.set(key, error)
  return failures
}

async function removeSome(s3: S3, keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  try {
    return await removeTogether(s3, keys)
  } catch (error) {
    if (!isRejected(error)) throw error
    return removeEach(s3, keys)
  }
}

async function removeTogether({ sdk, writeClient, options }: S3, keys: readonly string[]) {
  const Objects = keys.map((key) => ({ Key: options.prefix + key }))
  const command = new sdk.DeleteObjectsCommand({ Bucket: options.bucket, Delete: { Objects, Quiet: true } })
  // The SDK sends a newer checksum, which other stores than AWS do not support. They require this one.
  command.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { readonly body?: unknown; readonly headers: Record<string, string> }
      if (typeof request.body === 'string')
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64')
      return next(args)
    },
    { step: 'build', name: 'contentMd5' },
  )
  const { Errors = [] } = await callStore('delete files', () => writeClient.send(command))
  const left = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
  return new Map(
    left.map(({ Key = '', Code = '', Message = '' }) => [
      Key.slice(options.prefix.length),
      new StoreUnavailableError(`the store failed to delete a file (${Code} ${Message})`),
    ]),
  )
}

async function removeEach(s3: S3, keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  const limit = pLimit(concurrency)
  const remove = (key: string) =>
    deleteObject(s3, key).catch((error: unknown) => {
      failures.set(key, error)
    })
  await Promise.all(keys.map((key) => limit(remove, key)))
  return failures
}
