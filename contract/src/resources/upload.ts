import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
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
    user: Type.Optional(Type.String({ description: 'Owner; told to the owner and to admins.' })),
    createdAt: Type.String(timestamp),
    expireAt: nullable(timestamp),
  },
  { title: 'Upload' },
)
export interface Upload extends Omit<Static<typeof Upload>, 'files'> {
  files: File[]
}

const credential = { maxLength: limits.uploadCredentialLength }

/** What a client may ask of a new upload. */
export const UploadOptions = Type.Object(
  {
    ttl: Type.Optional(
      Type.Integer({
        description: 'Seconds; 0 means the default, negative means for ever.',
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    extend_ttl: Type.Optional(Type.Boolean()),
    oneShot: Type.Optional(Type.Boolean()),
    removable: Type.Optional(Type.Boolean()),
    stream: Type.Optional(Type.Boolean()),
    login: Type.Optional(Type.String(credential)),
    password: Type.Optional(Type.String(credential)),
    comments: Type.Optional(
      Type.String({ description: `Markdown, at most ${String(limits.commentsBytes)} bytes.` }),
    ),
    e2ee: Type.Optional(Type.String({ maxLength: limits.schemeLength })),
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
  login: Type.Optional(Type.String(credential)),
  password: Type.Optional(Type.String(credential)),
  comments: Type.Optional(Type.String()),
  e2ee: Type.Optional(Type.String({ maxLength: limits.schemeLength })),
})
export type QuickUploadQuery = Static<typeof QuickUploadQuery>
