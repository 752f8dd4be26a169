import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { writeWholeFile } from '../export/write-whole-file.ts'
import type { ImportRun } from '../import/run.ts'
import type { Program } from './base/program.ts'

/**
 * Writes old and new paths into a file, as two columns with a tab between them. The file appears when all of it is written.
 * @param name undefined without a file
 */
export async function withLinksFile(
  { directory }: Program,
  name: string | undefined,
  work: (onLinks: ImportRun['onLinks']) => Promise<void>,
): Promise<void> {
  if (name === undefined) {
    await work(() => Promise.resolve())
    return
  }
  const lines = new PassThrough({ encoding: 'utf8' })
  const stop = new AbortController()
  const written = writeWholeFile(resolve(directory, name), lines, {
    suffix: randomUUID(),
    signal: stop.signal,
  })
  // The work waits for it below, also when it fails first.
  written.catch(() => {
    lines.destroy()
  })
  try {
    await work(async (links) => {
      if (lines.destroyed) await written
      const text = links.map(({ from, to }) => `${from}\t${to}\n`).join('')
      if (text !== '' && !lines.write(text)) await Promise.race([once(lines, 'drain'), written])
    })
  } catch (error) {
    stop.abort()
    await written.catch(() => undefined)
    throw error
  }
  lines.end()
  await written
}
