import {
  afterEndValues,
  clientKinds,
  Download,
  FileStatus,
  limits,
  Provider,
  senderNames,
  shownTokenLength,
} from '@svc/contract'
import * as Type from 'typebox'
import type { Static, TString, TInteger } from 'typebox'
import { argon2CostPattern, bcryptPattern, importedPrefixPattern } from '../auth/imported-hashes.ts'

/** The format of `svcd export` and `svcd import`; docs/admin.md describes each field. */
export const formatVersion = 2

/** The lengths of text columns, in code points as in the databases. */
const text = (maxLength: number) => Type.String({ maxLength })
const id = Type.String({ pattern: '^[0-9A-Za-z]{16}$' })
const userId = Type.String({ minLength: 1, maxLength: 300 })
const bit = Type.Enum([0, 1])
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const position = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const limit = Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER })
/** Milliseconds since the epoch, up to the last valid date. */
const time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** Milliseconds, up to a thousand years: added to the current time, it is a valid date. */
const period = Type.Integer({ minimum: 0, maximum: 1_000 * 365 * 86_400_000 })
/** Argon2id in PHC string format. */
const argon2Pattern = String.raw`${argon2CostPattern}\$[\w-]{11,86}\$[\w-]{22,86}`
const hashPattern = `(?:${argon2Pattern}|${bcryptPattern})`
/** Kinds of events, with spaces. An import leaves out those of a later version. */
const eventNames = Type.String({ pattern: '^(?:[a-z_.]+(?: [a-z_.]+)*)?$', maxLength: 256 })
const webhookSecret = Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{1,56}={0,2}$', maxLength: 64 })
/** SHA-256 in base64url. */
const hash = Type.String({ pattern: '^[\\w-]{43}$' })

/** Passkeys of a request in JSON, with the names of their properties. */
const passkeysLength =
  limits.passkeysPerRequest * (limits.credentialIdLength + 2 * limits.wrappedIdentityLength + 64)

export const nullable = <Kind extends TString | TInteger>(kind: Kind) =>
  Type.Unsafe<Static<Kind> | null>({ ...kind, type: [kind.type, 'null'] })

export const record = <Fields extends Type.TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })

/** The fields of each kind of line, except `kind`. Derived columns are left out. */
export const schemas = {
  export: record({ version: Type.Integer() }),

  user: record({
    id: userId,
    provider: Provider,
    issuer: nullable(text(512)),
    /** Absent in exports of earlier versions. */
    accountId: Type.Optional(nullable(text(255))),
    login: text(256),
    name: text(256),
    email: text(256),
    passwordHash: nullable(Type.String({ pattern: `^${hashPattern}$` })),
    admin: bit,
    maxFileSize: limit,
    maxUserSize: limit,
    maxTTL: limit,
    theme: text(256),
    language: text(256),
    createdAt: time,
  }),

  token: record({
    id,
    tokenHash: hash,
    prefix: text(shownTokenLength),
    userId,
    comment: text(limits.commentLength),
    scopes: nullable(text(64)),
    createdAt: time,
    usedAt: nullable(time),
    expireAt: nullable(time),
    renewal: nullable(period),
  }),

  request: record({
    id,
    userId: nullable(userId),
    tokenHash: hash,
    title: text(limits.titleLength),
    message: text(limits.requestMessageBytes),
    createdAt: time,
    expireAt: nullable(time),
    closedAt: nullable(time),
    maxFiles: limit,
    maxFileSize: limit,
    maxSize: limit,
    extensions: text(limits.extensionsPerRequest * (limits.extensionLength + 1)),
    oneSender: bit,
    senderName: Type.Enum([...senderNames]),
    passwordHash: nullable(Type.String({ pattern: `^${hashPattern}$` })),
    recipient: text(limits.recipientLength),
    /** Absent in exports of earlier versions. */
    wrappedIdentity: Type.Optional(
      nullable(
        Type.String({
          maxLength: limits.wrappedIdentityLength,
          pattern: '^-----BEGIN AGE ENCRYPTED FILE-----\\s',
        }),
      ),
    ),
    /** In JSON. */
    passkeyIdentities: Type.Optional(nullable(text(passkeysLength))),
    uploadTtl: limit,
    afterEnd: Type.Enum([...afterEndValues]),
    uploads: position,
    seen: position,
    files: count,
    size: count,
  }),

  upload: record({
    id,
    userId: nullable(userId),
    userToken: nullable(id),
    tokenHash: hash,
    ttl: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    extendTtl: bit,
    oneShot: bit,
    /** Absent in exports of earlier versions, as the downloads of a file. */
    maxDownloads: Type.Optional(nullable(Type.Integer({ minimum: 2, maximum: limits.maxDownloads }))),
    removable: bit,
    stream: bit,
    login: nullable(text(limits.uploadCredentialLength)),
    passwordHash: nullable(Type.String({ pattern: `^(?:${importedPrefixPattern})?${hashPattern}$` })),
    comments: text(limits.commentsBytes),
    e2ee: text(limits.schemeLength),
    address: text(45),
    fileCount: position,
    createdAt: time,
    expireAt: nullable(time),
    deletedAt: nullable(time),
    /** Absent in exports of earlier versions. */
    requestId: Type.Optional(nullable(id)),
    requestTokenHash: Type.Optional(nullable(hash)),
    sender: Type.Optional(nullable(text(limits.senderLength))),
    maxFileSize: Type.Optional(nullable(limit)),
    placeUntil: Type.Optional(nullable(time)),
  }),

  file: record({
    id,
    uploadId: id,
    position,
    reference: nullable(text(limits.referenceLength)),
    fileName: text(limits.fileNameLength),
    fileSize: count,
    type: text(255),
    md5: Type.String({ pattern: '^(?:[0-9a-f]{32})?$' }),
    crc32: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    status: FileStatus,
    createdAt: time,
    uploadedAt: nullable(time),
    instance: nullable(id),
    reserved: count,
    claim: nullable(id),
    claimUntil: nullable(time),
    /** Absent in exports of earlier versions. */
    sealed: Type.Optional(bit),
    brokenDownloads: position,
    downloads: Type.Optional(position),
    claimed: Type.Optional(position),
    preview: Type.Optional(bit),
  }),

  preview: record({
    fileId: id,
    uploadId: id,
    /** In base64. */
    content: Type.String({
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      maxLength: 4 * Math.ceil(limits.previewBytes / 3),
    }),
  }),

  alias: record({
    alias: Type.String({ pattern: '^[a-z0-9-]{3,64}$' }),
    uploadId: id,
    heldUntil: nullable(time),
  }),

  /** A download that has ended. */
  download: record({
    uploadId: id,
    endedAt: time,
    id,
    fileId: nullable(id),
    bytes: count,
    result: Download.properties.result,
    client: Type.Enum([...clientKinds]),
    address: nullable(text(45)),
  }),

  figure: record({
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    name: Type.String({ pattern: '^[\\w:]{1,32}$' }),
    value: count,
  }),

  webhook: record({
    id,
    userId,
    url: text(limits.webhookURLLength),
    events: eventNames,
    description: text(limits.commentLength),
    enabled: bit,
    secret: webhookSecret,
    previousSecret: nullable(webhookSecret),
    previousUntil: nullable(time),
    createdAt: time,
  }),

  notification: record({
    userId,
    emailEvents: eventNames,
    verifiedEmail: nullable(text(256)),
    language: text(16),
  }),

  end: record({ records: count }),
}

export type LineKind = keyof typeof schemas
export type RecordKind = Exclude<LineKind, 'export' | 'end'>

/** The fields of a line of a kind. */
export type Fields<Kind extends LineKind> = Static<(typeof schemas)[Kind]>

/** A line that was read, of one kind or of several. */
export type Line<Kind extends LineKind = LineKind> = {
  [Each in Kind]: { readonly number: number; readonly kind: Each; readonly fields: Fields<Each> }
}[Kind]
