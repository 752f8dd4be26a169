import path from 'node:path'
import { run } from '../processes/child.ts'

/** The command-line client, built by `scripts/prepare.mjs`. */
export const svcProgram = path.resolve(import.meta.dirname, '../../../clients/svc.mjs')

/**
 * Creates a key of age.
 * @returns the recipient of the key
 */
export async function createKey(file: string, signal: AbortSignal): Promise<string> {
  await run('age-keygen', ['-o', file], { signal })
  return (await run('age-keygen', ['-y', file], { signal })).trim()
}
