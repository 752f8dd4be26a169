import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'
import { defaultUploadLogin } from '../base/names.ts'
import { File, FileDeclaration } from './file.ts'
import { nullable } from './nullable.ts'

const timestamp = { format: 'date-time', description: 'RFC 3339.' } as const

/** An upload (docs/protocol.md#upload). It never contains its login and password. */
export const Upload = Type.Object(
  {
    id: Type.String(),
    uploadToken: Type.Optional(Type.String({ description: 'Only in the response that creates the upload.' })),
    ttl: Type.Integer({ description: 'Seconds; -1 means that the upload never expires.' }),
    extend_ttl: Type.Boolean(),
    oneShot: Type.Boolean(),
    maxDownloads: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many times each file can be downloaded, 1 for one-shot; absent without a limit.',
      }),
    ),
    removable: Type.Boolean(),
    stream: Type.Boolean(),
    protectedByPassword: Type.Boolean(),
    comments: Type.String({ description: 'Markdown.' }),
    e2ee: Type.String({ description: 'Encryption scheme; empty means not encrypted.' }),
    downloadDomain: Type.String(),
    downloadURL: Type.Optional(
      Type.String({ description: 'Base of file and archive links, when a domain is configured.' }),
    ),
    files: Type.Array(File),
    admin: Type.Boolean({ description: 'True when the caller holds the upload token.' }),
    user: Type.Optional(Type.String({ description: 'Owner; visible to the owner and to admins.' })),
    alias: Type.Optional(
      Type.String({
        description:
          'The end of its link `/s/{alias}`; visible to the owner and to admins, in single uploads only.',
      }),
    ),
    request: Type.Optional(
      Type.String({ description: 'Id of the upload request that received it; absent for other uploads.' }),
    ),
    sender: Type.Optional(Type.String({ description: 'Name that the sender to an upload request gave.' })),
    createdAt: Type.String(timestamp),
    expireAt: nullable({ ...timestamp, description: 'RFC 3339; null means never.' }),
  },
  { title: 'Upload' },
)
export interface Upload extends Omit<Static<typeof Upload>, 'files'> {
  files: File[]
}

const credential = { maxLength: limits.uploadCredentialLength }
const login = {
  ...credential,
  description: `Login for the password; by default \`${defaultUploadLogin}\`.`,
}
const password = {
  ...credential,
  description: 'Downloads require login and password (HTTP Basic).',
}
const e2ee = {
  maxLength: limits.schemeLength,
  description: 'Encryption scheme of the files, such as `age`; empty for none.',
}

const alias = {
  description:
    `The end of the link \`/s/{alias}\`: ${String(limits.aliasMinLength)} to ${String(limits.aliasLength)} characters of a-z, 0-9 and \`-\`. ` +
    'For users with an account.',
}

const option = (description: string) => Type.Optional(Type.Boolean({ description }))

/** The options of a new upload. */
export const UploadOptions = Type.Object(
  {
    ttl: Type.Optional(
      Type.Integer({
        description:
          'Seconds; 0 means the default, negative means that the upload never expires. Larger values become the maximum.',
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    extend_ttl: option('Each download restarts the time to live.'),
    oneShot: option('Each file can be downloaded once.'),
    maxDownloads: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.maxDownloads,
        description: 'How many times each file can be downloaded. 1 is the same as `oneShot`.',
      }),
    ),
    removable: option('Recipients can remove files.'),
    stream: option('Files are streamed to the recipient; nothing is stored.'),
    login: Type.Optional(Type.String(login)),
    password: Type.Optional(Type.String(password)),
    comments: Type.Optional(
      Type.String({ description: `Markdown, at most ${String(limits.commentsBytes)} bytes.` }),
    ),
    e2ee: Type.Optional(Type.String(e2ee)),
    alias: Type.Optional(Type.String(alias)),
    files: Type.Optional(Type.Array(FileDeclaration)),
  },
  { title: 'UploadOptions' },
)
export type UploadOptions = Static<typeof UploadOptions>

/** A change of an upload. */
export const UploadChanges = Type.Object(
  { alias: Type.Optional(nullable({ ...alias, description: `${alias.description} Null removes it.` })) },
  { title: 'UploadChanges' },
)
export type UploadChanges = Static<typeof UploadChanges>

/** The data of a server-sent event: the upload has changed. */
export interface UploadEvent {
  readonly uploadID: string
}

const flag = Type.Optional(Type.Enum(['true', 'false']))

/** The same options in the query of a quick upload. */
export const QuickUploadQuery = Type.Object({
  ttl: Type.Optional(Type.String({ description: 'Seconds, or a duration such as `12h` or `1d`.' })),
  extend_ttl: flag,
  oneShot: flag,
  maxDownloads: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]{0,5}|1000000)$', description: 'A number from 1 to 1,000,000.' }),
  ),
  removable: flag,
  stream: flag,
  login: Type.Optional(Type.String(login)),
  password: Type.Optional(Type.String(password)),
  comments: Type.Optional(Type.String()),
  e2ee: Type.Optional(Type.String(e2ee)),
})
export type QuickUploadQuery = Static<typeof QuickUploadQuery>
