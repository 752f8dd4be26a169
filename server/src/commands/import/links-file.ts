import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { printable } from '@svc/terminal'
import { writeWholeFile } from '../../export/write-whole-file.ts'
import type { ImportRun } from '../../import/run.ts'
import type { Redirect } from '../../import/source.ts'
import type { Program } from '../base/program.ts'

/**
 * Writes old and new paths into a file, as two columns with a tab between them. The file appears when all of it is written.
 * Settings of proxies are made from it: an address that could end its line or column there is left out, and reported.
 * @param name undefined without a file
 */
export async function withLinksFile(
  { directory, printToStderr }: Pick<Program, 'directory' | 'printToStderr'>,
  name: string | undefined,
  work: (onRedirects: ImportRun['onRedirects']) => Promise<void>,
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
  // The work waits for it below, even when it fails first.
  written.catch(() => {
    lines.destroy()
  })
  try {
    await work(async (redirects) => {
      if (lines.destroyed) await written
      const plain = redirects.filter(isPlain)
      for (const { from } of redirects.filter((redirect) => !isPlain(redirect)))
        printToStderr(`left out of ${name}, since it is not an encoded path: ${printable(from)}`)
      const text = plain.map(({ from, to }) => `${from}\t${to}\n`).join('')
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

/** A path in characters that mean nothing else in the settings of a proxy. */
const plainPath = /^\/[\w.~!*'()%/?=&#-]*$/

const isPlain = ({ from, to }: Redirect): boolean => plainPath.test(from) && plainPath.test(to)
