import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { UploadOptions } from '@svc/contract'
import type { ChosenKey } from '../encryption/choose-key.ts'
import type { TargetWithServer } from '../config/target.ts'
import type { Item } from '../files/item.ts'
import type { Program } from '../program/program.ts'
import { isInterrupted } from '../state/unfinished/recorder.ts'
import {
  proofOf,
  readUnfinished,
  type SavedEncryption,
  type UnfinishedUpload,
} from '../state/unfinished/unfinished-upload.ts'
import type { CreatedUpload } from './sending/run-upload.ts'

/** A command that uploads: what another run must have in common with it to resume its upload. */
export interface UploadCommand {
  readonly directory: string
  /** As they were written. */
  readonly paths: readonly string[]
  /** The option `--name`. */
  readonly name: string | undefined
  readonly options: UploadOptions
  readonly chosenKey: ChosenKey | undefined
  /** Keys of recipients, or files of keys, as they were written. */
  readonly recipients: readonly string[]
  /** Undefined for an upload without an upload request. */
  readonly request?: RequestCommand
}

/** How files are sent to an upload request. */
export interface RequestCommand {
  readonly id: string
  /** The fingerprint of the recipient in the link. */
  readonly fingerprint: string | undefined
  readonly sender: string | undefined
}

/** The command as a value that is equal only for the same command. It contains passwords. */
const valueOf = ({
  directory,
  paths,
  name,
  options,
  chosenKey,
  recipients,
  request,
}: UploadCommand): unknown => [
  paths.map((path) => (path === '-' ? path : resolve(directory, path))),
  name,
  options,
  // The server names the recipient of a request, and the fingerprint is that of the recipient.
  request ?? (chosenKey && (chosenKey.generated ? 'generated' : (chosenKey.passphrase ?? recipients))),
]

/** The unfinished upload that the same command began. */
export async function findBegun(
  program: Program,
  server: string,
  command: UploadCommand,
): Promise<UnfinishedUpload | undefined> {
  const value = valueOf(command)
  const uploads = await readUnfinished(program)
  return uploads.find(
    (upload) =>
      upload.server === server &&
      upload.canResume &&
      upload.command === proofOf(upload, value) &&
      isInterrupted(program, upload),
  )
}

/** The record of an upload that a command created. */
export const recordOf = (
  { server, insecure, profileName }: TargetWithServer,
  { id, uploadToken, createdAt, expireAt }: CreatedUpload,
  command: UploadCommand,
  items: readonly Item[],
): Omit<UnfinishedUpload, 'owner' | 'files'> => ({
  server,
  id,
  uploadToken,
  createdAt,
  expireAt,
  canResume: items.every(({ kind }) => kind === 'file'),
  command: proofOf({ uploadToken }, valueOf(command)),
  directory: command.directory,
  paths: command.paths,
  name: command.name,
  request: command.request?.id,
  profile: profileName,
  insecure,
  login: command.options.login,
  encryption: savedEncryption(command, uploadToken),
})

function savedEncryption(
  { directory, chosenKey, recipients }: UploadCommand,
  uploadToken: string,
): SavedEncryption | undefined {
  if (chosenKey === undefined) return undefined
  const { passphrase } = chosenKey
  if (passphrase === undefined)
    return { kind: 'recipients', recipients: recipients.map((word) => absolute(directory, word)) }
  return chosenKey.generated
    ? { kind: 'generated', passphrase }
    : { kind: 'passphrase', proof: proofOf({ uploadToken }, passphrase) }
}

/** A file of keys must be found from another folder, too; a key is not changed. */
function absolute(directory: string, word: string): string {
  const path = resolve(directory, word)
  return existsSync(path) ? path : word
}
