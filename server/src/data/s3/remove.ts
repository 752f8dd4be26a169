import type { S3 } from './client.ts'
import { asked } from './failures.ts'
import { abortUnfinished } from './multipart.ts'
import { tailsOf } from './session.ts'
import { deleteObject } from './write.ts'

/** Removes all that is stored under a key, unfinished or not. */
export async function removeAll(s3: S3, key: string): Promise<void> {
  // In this order: an upload that is completed between the two would be left the other way round.
  await abortUnfinished(s3, key)
  await deleteObject(s3, key)
  await removeTails(s3, key)
}

/** Removes what is kept of a file behind its last whole part. */
export async function removeTails(s3: S3, key: string): Promise<void> {
  const { sdk, writing, place, options } = s3
  const { Bucket, Key: Prefix } = place(tailsOf(key))
  for (;;) {
    const list = new sdk.ListObjectsV2Command({ Bucket, Prefix })
    const { Contents = [], IsTruncated } = await asked('list what is left', () => writing.send(list))
    for (const { Key = '' } of Contents) await deleteObject(s3, Key.slice(options.prefix.length))
    if (IsTruncated !== true) return
  }
}
