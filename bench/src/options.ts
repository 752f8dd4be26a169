import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the cases to run; null runs all. */
  readonly only: readonly string[] | null
  /** Bytes of a large file. */
  readonly size: number
  /** Where a throwaway directory is made for everything that is written. */
  readonly directory: string
  /** Where the figures go as JSON. */
  readonly json: string | null
  /** Whether a missed target fails the run. */
  readonly strict: boolean
}

/** What was asked for makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `npm run bench -- [--only NAME[,NAME]] [--size BYTES] [--directory DIR] [--json FILE] [--strict]`

const gibibyte = 1024 ** 3
const smallestSize = 1024 ** 2

/**
 * Reads the command line.
 * @param known names of the cases there are
 * @throws UsageError
 */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { only, size, directory, json, strict } = parse(args)
  const names = only?.split(',') ?? null
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`there is no case ${unknown}; there are ${known.join(', ')}`)
  const bytes = size === undefined ? gibibyte : Number(size)
  if (!Number.isSafeInteger(bytes) || bytes < smallestSize)
    throw new UsageError(`--size takes whole bytes, ${String(smallestSize)} or more`)
  return {
    only: names,
    size: bytes,
    directory: path.resolve(directory ?? tmpdir()),
    json: json === undefined ? null : path.resolve(json),
    strict: strict === true,
  }
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        size: { type: 'string' },
        directory: { type: 'string' },
        json: { type: 'string' },
        strict: { type: 'boolean' },
      },
    })
    return values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'the command line makes no sense', {
      cause,
    })
  }
}
