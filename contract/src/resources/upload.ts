import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { defaultUploadLogin } from '../names.ts'
import { File, FileDeclaration } from './file.ts'
import { nullable } from './nullable.ts'

const timestamp = { format: 'date-time', description: 'RFC 3339.' } as const

/** An upload, as the server tells it (specification §2). Never carries its login and password. */
export const Upload = Type.Object(
  {
    id: Type.String(),
    uploadToken: Type.Optional(Type.String({ description: 'Only in the answer that creates the upload.' })),
    ttl: Type.Integer({ description: 'Seconds; -1 means for ever.' }),
    extend_ttl: Type.Boolean(),
    oneShot: Type.Boolean(),
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
    user: Type.Optional(Type.String({ description: 'Owner; for the owner and admins only.' })),
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
  description: `With a password; \`${defaultUploadLogin}\` where it is left out.`,
}
const password = {
  ...credential,
  description: 'Who downloads has to give login and password (HTTP Basic).',
}
const e2ee = {
  maxLength: limits.schemeLength,
  description: 'Encryption scheme of the files that will be sent, such as `age`; empty: none.',
}

const option = (description: string) => Type.Optional(Type.Boolean({ description }))

/** What a client may ask of a new upload. */
export const UploadOptions = Type.Object(
  {
    ttl: Type.Optional(
      Type.Integer({
        description:
          'Seconds; 0 means the default, negative means for ever. More than the maximum becomes the maximum.',
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    extend_ttl: option('Each download starts the time to live anew.'),
    oneShot: option('Each file can be downloaded once.'),
    removable: option('Recipients may remove files.'),
    stream: option('Files go straight to the recipient; nothing is stored.'),
    login: Type.Optional(Type.String(login)),
    password: Type.Optional(Type.String(password)),
    comments: Type.Optional(
      Type.String({ description: `Markdown, at most ${String(limits.commentsBytes)} bytes.` }),
    ),
    e2ee: Type.Optional(Type.String(e2ee)),
    files: Type.Optional(Type.Array(FileDeclaration)),
  },
  { title: 'UploadOptions' },
)
export type UploadOptions = Static<typeof UploadOptions>

const flag = Type.Optional(Type.Enum(['true', 'false']))

/** The same options in the query of a quick upload. */
export const QuickUploadQuery = Type.Object({
  ttl: Type.Optional(Type.String({ description: 'Seconds, or a duration such as `12h` or `1d`.' })),
  extend_ttl: flag,
  oneShot: flag,
  removable: flag,
  stream: flag,
  login: Type.Optional(Type.String(login)),
  password: Type.Optional(Type.String(password)),
  comments: Type.Optional(Type.String()),
  e2ee: Type.Optional(Type.String(e2ee)),
})
export type QuickUploadQuery = Static<typeof QuickUploadQuery>
