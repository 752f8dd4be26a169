import path from 'node:path'
import type { S3BackendOptions } from '../../../server/src/data/s3/client/client.ts'
import { run } from '../child.ts'

const program = path.resolve(import.meta.dirname, 's3-process.ts')

/** With the SDK's own settings, or with those that the server gives it. */
export type Client = 'as-it-comes' | 'tuned'

/** Seconds that the SDK alone takes, in a process of its own, to bring a large file to the store or to fetch it. */
export async function sdkSeconds(
  options: S3BackendOptions,
  client: Client,
  what: readonly ['upload', string] | readonly ['download'],
  signal: AbortSignal,
): Promise<number> {
  return Number(await run(process.execPath, [program, JSON.stringify(options), client, ...what], { signal }))
}
