import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJson } from '@svc/contract'
import type { KeyPair } from '@svc/encryption'
import { appendDurably, readLines } from './durable-file.ts'
import { configPath, statePath } from '../config/standard-folders.ts'
import { localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import { makeDirectories } from '../files/make-directories.ts'
import type { Program } from '../program/program.ts'

/** An upload request that this computer made. Its token manages it without an account. */
export interface OwnRequest {
  /** Address of the server. */
  readonly server: string
  readonly id: string
  readonly requestToken: string
  readonly title: string
  /** The recipient of its files; undefined if they are not encrypted. */
  readonly recipient?: string | undefined
}

interface Forgotten {
  readonly server: string
  readonly forgotten: string
}

const recordsPath = (program: Program) => statePath(program, 'requests.jsonl')

/** Path of the file with the private key of a request, which `age -i` reads. */
export const identityPath = (program: Program, id: string): string =>
  configPath(program, `requests/${id}.txt`)

/** @throws Failure, because the request could not be managed without its token */
export const rememberRequest = (program: Program, request: OwnRequest): Promise<void> =>
  append(program, request)

export const forgetRequest = (program: Program, { server, id }: Pick<OwnRequest, 'server' | 'id'>) =>
  append(program, { server, forgotten: id })

async function append(program: Program, line: OwnRequest | Forgotten): Promise<void> {
  const path = recordsPath(program)
  try {
    await appendDurably(path, `${JSON.stringify(line)}\n`)
  } catch (error) {
    throw localFailure(`${path} cannot be written: ${errorMessage(error)}`, error)
  }
}

/**
 * The upload requests of this computer, the newest first.
 * @throws Failure if their records cannot be read
 */
export async function readRequests(program: Program): Promise<readonly OwnRequest[]> {
  const requests = new Map<string, OwnRequest>()
  for (const line of await readLines(recordsPath(program))) {
    // A crash may have cut the last line.
    const entry = parseJson(line) as OwnRequest | Forgotten | undefined
    if (entry === undefined) continue
    if ('forgotten' in entry) requests.delete(`${entry.server} ${entry.forgotten}`)
    else requests.set(`${entry.server} ${entry.id}`, entry)
  }
  return [...requests.values()].reverse()
}

/**
 * Saves the private key of a request in a file that only its owner can read, as `age-keygen` writes it. It is on the disk
 * when it returns.
 * @returns its path
 * @throws Failure
 */
export const saveIdentity = (
  program: Program,
  { id, title }: Pick<OwnRequest, 'id' | 'title'>,
  { identity, recipient }: KeyPair,
): Promise<string> =>
  saveIdentityFile(program, id, `# upload request ${id}: ${title}\n# public key: ${recipient}\n${identity}\n`)

/**
 * The same with the text of a file, which may be encrypted with a passphrase.
 * @returns its path
 * @throws Failure
 */
export async function saveIdentityFile(program: Program, id: string, text: string): Promise<string> {
  const path = identityPath(program, id)
  try {
    await makeDirectories(dirname(path), 0o700)
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
    await file.sync()
    return path
  } catch (error) {
    throw localFailure(`${path} cannot be written: ${errorMessage(error)}`, error)
  }
}
