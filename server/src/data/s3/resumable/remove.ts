import type { S3 } from '../client/client.ts'
import { callStore } from '../client/failures.ts'
import { abortUnfinished } from '../objects/multipart.ts'
import { tailPrefix } from './session.ts'
import { deleteObject } from '../objects/write.ts'

/** Removes all data of a key, finished or not. */
export async function removeAll(s3: S3, key: string): Promise<void> {
  // In this order, because a multipart upload may be completed between the two calls.
  await abortUnfinished(s3, key)
  await deleteObject(s3, key)
  await removeTails(s3, key)
}

/** Removes the tails of a file. */
export async function removeTails(s3: S3, key: string): Promise<void> {
  const { sdk, writeClient, location, options } = s3
  const { Bucket, Key: Prefix } = location(tailPrefix(key))
  for (;;) {
    const list = new sdk.ListObjectsV2Command({ Bucket, Prefix })
    const { Contents = [], IsTruncated } = await callStore('list the rest of a file', () =>
      writeClient.send(list),
    )
    for (const { Key = '' } of Contents) await deleteObject(s3, Key.slice(options.prefix.length))
    if (IsTruncated !== true) return
  }
}
