import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'
import { FileDeclaration } from './file.ts'
import { nullable } from './nullable.ts'

const timestamp = { format: 'date-time', description: 'RFC 3339.' } as const

/** Whether senders give their name. */
export const senderNames = ['none', 'optional', 'required'] as const
export type SenderName = (typeof senderNames)[number]

/** What happens to the received uploads when their request expires. */
export const afterEndValues = ['keep', 'remove'] as const
export type AfterEnd = (typeof afterEndValues)[number]

const limit = (description: string) =>
  Type.Integer({ minimum: -1, description: `${description}; -1 means no limit of the request.` })

/** The private key of a request, encrypted for a passkey of its owner. */
export const PasskeyIdentity = Type.Object(
  {
    credential: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: limits.credentialIdLength,
      description: 'The id of the WebAuthn credential, in base64url.',
    }),
    wrappedIdentity: Type.String({
      maxLength: limits.wrappedIdentityLength,
      description: 'An armored age file with a single stanza of the type `age-encryption.org/fido2prf`.',
    }),
  },
  { title: 'PasskeyIdentity' },
)
export type PasskeyIdentity = Static<typeof PasskeyIdentity>

/** What both the owner and senders see. */
const common = {
  id: Type.String(),
  title: Type.String(),
  message: Type.String({ description: 'Markdown.' }),
  expireAt: nullable({ ...timestamp, description: 'RFC 3339; null means never.' }),
  open: Type.Boolean({ description: 'Whether the request accepts another upload.' }),
  maxFiles: limit('The most files of all uploads together'),
  maxFileSize: limit('The most bytes of each file'),
  maxSize: limit('The most bytes of all uploads together'),
  extensions: Type.Array(Type.String(), {
    description: 'Allowed extensions in lower case, without a dot; empty allows all files.',
  }),
  senderName: Type.Enum([...senderNames], { description: 'Whether senders give their name.' }),
  recipient: Type.String({
    description:
      'The age recipient for which senders encrypt files and their names; empty means not encrypted.',
  }),
}

/** An upload request, for its owner (docs/protocol.md#upload-request). It never contains its password. */
export const UploadRequest = Type.Object(
  {
    ...common,
    requestToken: Type.Optional(
      Type.String({ description: 'Only in the response that creates the request.' }),
    ),
    closed: Type.Boolean({ description: 'Whether its owner has closed it.' }),
    oneSender: Type.Boolean({ description: 'Whether it accepts a single upload.' }),
    protectedByPassword: Type.Boolean(),
    uploadTTL: Type.Integer({
      description: 'Seconds that a received upload is kept; -1 means without an end.',
    }),
    afterEnd: Type.Enum([...afterEndValues], {
      description: '`keep`: uploads keep their own end; `remove`: they expire no later than the request.',
    }),
    uploads: Type.Integer({ minimum: 0, description: 'The received uploads, including removed ones.' }),
    unseen: Type.Integer({
      minimum: 0,
      description: 'Those received since the owner has last seen the list.',
    }),
    files: Type.Integer({ minimum: 0, description: 'Files that count against `maxFiles`.' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes that count against `maxSize`.' }),
    wrappedIdentity: Type.Optional(
      Type.String({
        description:
          'The private key of `recipient`, encrypted with a passphrase of the owner (an armored age file). In responses about a single request, for its owner, if there is one.',
      }),
    ),
    passkeyIdentities: Type.Optional(
      Type.Array(PasskeyIdentity, {
        description:
          'The private key of `recipient`, encrypted for each passkey of the owner. Shown like `wrappedIdentity`.',
      }),
    ),
    user: Type.Optional(Type.String({ description: 'Owner; visible to the owner and to admins.' })),
    createdAt: Type.String(timestamp),
  },
  { title: 'UploadRequest' },
)
export type UploadRequest = Static<typeof UploadRequest>

/** What a sender may know of an upload request. `maxFileSize` includes the limits of the server and of the owner. */
export const OpenUploadRequest = Type.Object(
  {
    ...common,
    filesLeft: limit('The files that it still accepts'),
    sizeLeft: limit('The bytes that it still accepts'),
  },
  { title: 'OpenUploadRequest' },
)
export type OpenUploadRequest = Static<typeof OpenUploadRequest>

const password = {
  maxLength: limits.uploadCredentialLength,
  description: 'Senders need it (HTTP Basic, with the login `svc`); empty for none.',
}
const most = (description: string) =>
  Type.Integer({
    minimum: -1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description}; 0 or -1 for no limit.`,
  })

/** The properties of a request that its owner can set later, too. */
const settable = {
  title: Type.String({ minLength: 1, maxLength: limits.titleLength }),
  message: Type.String({ description: `Markdown, at most ${String(limits.requestMessageBytes)} bytes.` }),
  ttl: Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Seconds from now; 0 means the default, negative means that the request never expires.',
  }),
  maxFiles: most('The most files of all uploads together'),
  maxFileSize: most('The most bytes of each file'),
  maxSize: most('The most bytes of all uploads together'),
  extensions: Type.Array(Type.String({ minLength: 1, maxLength: limits.extensionLength }), {
    maxItems: limits.extensionsPerRequest,
    description:
      'Allowed extensions, such as `pdf`; empty allows all files. If files are encrypted, the clients of senders check it.',
  }),
  oneSender: Type.Boolean({ description: 'Accept a single upload.' }),
  senderName: Type.Enum([...senderNames]),
  password: Type.String(password),
  uploadTTL: Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Seconds that a received upload is kept; 0 means the default, negative means without an end.',
  }),
  afterEnd: Type.Enum([...afterEndValues]),
  wrappedIdentity: Type.String({
    maxLength: limits.wrappedIdentityLength,
    description:
      'The private key of the recipient, encrypted with a passphrase that the server does not get: an armored age file, so that another device of the owner can open what comes. Empty removes it.',
  }),
  passkeyIdentities: Type.Array(PasskeyIdentity, {
    maxItems: limits.passkeysPerRequest,
    description:
      'The private key of the recipient, encrypted for passkeys of the owner (docs/requests.md#a-passkey). Replaces those on the server; an empty list removes them.',
  }),
}

/** A new upload request. */
export const NewUploadRequest = Type.Object(
  {
    ...Type.Partial(Type.Object(settable)).properties,
    title: settable.title,
    recipient: Type.Optional(
      Type.String({
        maxLength: limits.recipientLength,
        description:
          'An age recipient (`age1…`, in lower case, without a plugin): senders encrypt files and their names for it.',
      }),
    ),
  },
  { title: 'NewUploadRequest' },
)
export type NewUploadRequest = Static<typeof NewUploadRequest>

/** A change of an upload request. Limits and lifetimes apply to the uploads that follow. */
export const UploadRequestUpdate = Type.Partial(
  Type.Object({
    ...settable,
    closed: Type.Boolean({ description: 'Refuse the next upload, or accept it again.' }),
    seen: Type.Literal(true, { description: 'Sets `unseen` to 0.' }),
  }),
  { title: 'UploadRequestUpdate' },
)
export type UploadRequestUpdate = Static<typeof UploadRequestUpdate>

/** A new upload to a request. */
export const SenderUploadOptions = Type.Object(
  {
    sender: Type.Optional(
      Type.String({
        maxLength: limits.senderLength,
        description: 'Name of the sender, for the owner of the request.',
      }),
    ),
    comments: Type.Optional(
      Type.String({ description: `Markdown for the owner, at most ${String(limits.commentsBytes)} bytes.` }),
    ),
    files: Type.Optional(Type.Array(FileDeclaration)),
  },
  { title: 'SenderUploadOptions' },
)
export type SenderUploadOptions = Static<typeof SenderUploadOptions>
