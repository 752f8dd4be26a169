import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@svc/contract'
import { statePath } from '../../config/standard-folders.ts'
import type { Program } from '../../program/program.ts'
import type { Owner } from './owner.ts'

/** The key of an encrypted file, a part of which may have been sent. In base64. */
export interface SavedKey {
  readonly header: string
  readonly fileKey: string
  readonly nonce: string
}

/** A file of an unfinished upload. */
export interface UnfinishedFile {
  readonly name: string
  /** The name here, if the one on the server is encrypted: it would be another one each time. */
  readonly localName?: string
  /** Id on the server; undefined before the server knows the file. */
  readonly id?: string
  /** Size and times of the content that is being sent, by which a change is noticed. */
  readonly state: string
  readonly key?: SavedKey
}

/** The encryption of an unfinished upload. A passphrase that the user chose is not stored, only a proof of it. */
export type SavedEncryption =
  | { readonly kind: 'generated'; readonly passphrase: string }
  | { readonly kind: 'passphrase'; readonly proof: string }
  | { readonly kind: 'recipients'; readonly recipients: readonly string[] }

/** An upload that is running or was interrupted. */
export interface UnfinishedUpload {
  /** Address of the server. */
  readonly server: string
  readonly id: string
  readonly uploadToken: string
  readonly createdAt: string
  readonly expireAt: string | null
  /** Whether all files can be read again. */
  readonly canResume: boolean
  /** Proof of the command that began the upload. */
  readonly command: string
  /** The folder in which the command ran, and its paths as they were written. */
  readonly directory: string
  readonly paths: readonly string[]
  /** The option `--name`. */
  readonly name?: string | undefined
  readonly profile: string
  readonly insecure: boolean
  /** The upload request that the upload is for. */
  readonly request?: string | undefined
  /** Login of a protected upload. */
  readonly login?: string | undefined
  readonly encryption?: SavedEncryption | undefined
  readonly files: readonly UnfinishedFile[]
  /** Names of files that the request does not accept. With an encrypted name, only the sender can see that. */
  readonly refused?: readonly string[] | undefined
  readonly owner: Owner
}

/** A line after the first one of a record. */
export type RecordChange =
  ({ readonly file: number } & Partial<UnfinishedFile>) | Pick<UnfinishedUpload, 'files' | 'owner'>

/** A text that only who knows the secret can compute. */
export const proofOf = ({ uploadToken }: Pick<UnfinishedUpload, 'uploadToken'>, secret: unknown): string =>
  createHmac('sha256', uploadToken).update(JSON.stringify(secret)).digest('hex')

const folderOf = (program: Program) => statePath(program, 'unfinished')

/** The name does not depend on the server alone: none can choose an id that overwrites the record of another one. */
export const recordPath = (
  program: Program,
  { server, id }: Pick<UnfinishedUpload, 'server' | 'id'>,
): string => {
  const name = createHash('sha256')
    .update(JSON.stringify([server, id]))
    .digest('hex')
    .slice(0, 16)
  return join(folderOf(program), `${name}.jsonl`)
}

/** Unfinished uploads of this computer, the newest first. Removes those that have expired. */
export async function readUnfinished(program: Program): Promise<readonly UnfinishedUpload[]> {
  const folder = folderOf(program)
  const names = await readdir(folder).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
  const uploads = await Promise.all(paths.map((path) => readRecord(program, path)))
  return uploads
    .filter((upload) => upload !== undefined)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** Never rejects: without the record there is nothing to forget. */
export const forgetUnfinished = (program: Program, upload: Pick<UnfinishedUpload, 'server' | 'id'>) =>
  unlink(recordPath(program, upload)).catch(() => undefined)

async function readRecord(program: Program, path: string): Promise<UnfinishedUpload | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const upload = recordOf(text)
  if (upload === undefined || upload.expireAt === null) return upload
  if (Date.parse(upload.expireAt) > program.clock.now()) return upload
  await forgetUnfinished(program, upload)
  return undefined
}

/** The record after all its changes. A line that a crash has cut off is left out. */
function recordOf(text: string): UnfinishedUpload | undefined {
  const [first, ...changes] = text.split('\n').flatMap((line) => parsed(line) ?? [])
  // Another command may have removed the record while changes were still appended.
  if (first === undefined || !('uploadToken' in first)) return undefined
  return changes.reduce(changed, first as UnfinishedUpload)
}

function parsed(line: string): object | undefined {
  const value = parseJson(line)
  return typeof value === 'object' && value !== null ? value : undefined
}

function changed(upload: UnfinishedUpload, change: object): UnfinishedUpload {
  const recordChange = change as RecordChange
  if (!('file' in recordChange)) return { ...upload, ...recordChange }
  const { file: index, ...fields } = recordChange
  return {
    ...upload,
    files: upload.files.map((file, place) => (place === index ? { ...file, ...fields } : file)),
  }
}
