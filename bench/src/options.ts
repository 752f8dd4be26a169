import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the cases to run; null runs all. */
  readonly only: readonly string[] | null
  /** Bytes of a large file. */
  readonly size: number
  /** Uploads of a large database. */
  readonly uploads: number
  /** Files that the page sends at once. */
  readonly files: number
  /** The database of the large database cases. */
  readonly database: DatabaseName
  /** The parent of the temporary directory for everything that is written. */
  readonly directory: string
  /** The file for the results as JSON. */
  readonly json: string | null
  /** The file for a picture of the ratios, in SVG. */
  readonly picture: string | null
  /** The address of another server of this protocol, ending in `/`, with which the case `peer` compares. */
  readonly peer: string | null
  /** Whether a missed target fails the run. */
  readonly strict: boolean
}

export const databaseNames = ['sqlite3', 'postgres', 'mysql'] as const
export type DatabaseName = (typeof databaseNames)[number]

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `npm run bench -- [--only NAME[,NAME]] [--size BYTES] [--directory DIR] [--json FILE] [--picture FILE] [--strict]
  [--peer URL] [--files COUNT] [--uploads COUNT] [--database ${databaseNames.join('|')}]`

const gibibyte = 1024 ** 3
const smallestSize = 1024 ** 2
const million = 1_000_000
const fewestUploads = 1_000
const manyFiles = 5_000
/** The case `interactions` uses the first 700. */
const fewestFiles = 1_000

/**
 * Parses the command line.
 * @param cases names of the available cases
 * @throws UsageError
 */
export function readOptions(args: readonly string[], cases: readonly string[]): Options {
  const {
    only,
    size,
    directory,
    json,
    picture,
    peer,
    strict,
    uploads,
    files,
    database = 'sqlite3',
  } = parse(args)
  const names = only?.split(',') ?? null
  const unknown = names?.find((name) => !cases.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`there is no case ${unknown}; there are ${cases.join(', ')}`)
  const bytes = size === undefined ? gibibyte : Number(size)
  if (!Number.isSafeInteger(bytes) || bytes < smallestSize)
    throw new UsageError(`--size takes whole bytes, ${String(smallestSize)} or more`)
  const count = uploads === undefined ? million : Number(uploads)
  if (!Number.isSafeInteger(count) || count < fewestUploads)
    throw new UsageError(`--uploads takes a whole number, ${String(fewestUploads)} or more`)
  const fileCount = files === undefined ? manyFiles : Number(files)
  if (!Number.isSafeInteger(fileCount) || fileCount < fewestFiles)
    throw new UsageError(`--files takes a whole number, ${String(fewestFiles)} or more`)
  const known = databaseNames.find((name) => name === database)
  if (known === undefined) throw new UsageError(`--database takes ${databaseNames.join(', ')}`)
  return {
    only: names,
    size: bytes,
    uploads: count,
    files: fileCount,
    database: known,
    directory: path.resolve(directory ?? tmpdir()),
    json: json === undefined ? null : path.resolve(json),
    picture: picture === undefined ? null : path.resolve(picture),
    peer: peer === undefined ? null : addressOf(peer),
    strict: strict === true,
  }
}

/** @returns the address, ending in `/` */
function addressOf(peer: string): string {
  const url = URL.parse(peer.endsWith('/') ? peer : `${peer}/`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--peer takes the address of a server: http://127.0.0.1:8081')
  return url.href
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
        picture: { type: 'string' },
        peer: { type: 'string' },
        strict: { type: 'boolean' },
        uploads: { type: 'string' },
        files: { type: 'string' },
        database: { type: 'string' },
      },
    })
    return values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'the command line makes no sense', {
      cause,
    })
  }
}
