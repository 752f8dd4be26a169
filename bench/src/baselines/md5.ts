import path from 'node:path'
import { run } from '../processes/child.ts'

const program = path.resolve(import.meta.dirname, 'md5-process.ts')

/** Seconds of one processor for the md5 of a file, by the library that the server uses. */
export const md5Seconds = async (file: string, signal: AbortSignal): Promise<number> =>
  Number(await run(process.execPath, [program, file], { signal }))
