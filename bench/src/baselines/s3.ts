import path from 'node:path'
import type { S3BackendOptions } from '../../../server/src/data/s3/client/client.ts'
import { run } from '../processes/child.ts'

const program = path.resolve(import.meta.dirname, 's3-process.ts')

/** With the defaults of the SDK, or with the settings of the server. */
export type Client = 'default' | 'tuned'

/** Seconds that the SDK alone, in a separate process, needs to upload or download a large file. */
export async function sdkSeconds(
  options: S3BackendOptions,
  client: Client,
  what: readonly ['upload', string] | readonly ['download'],
  signal: AbortSignal,
): Promise<number> {
  return Number(await run(process.execPath, [program, JSON.stringify(options), client, ...what], { signal }))
}
