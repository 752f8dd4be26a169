import type { UploadRequest } from '@svc/contract'

/** The key of the owner of an encrypted request. Only the owner has the identity. */
export interface RequestKey {
  /** `AGE-SECRET-KEY-1…` */
  readonly identity: string
  /** `age1…` */
  readonly recipient: string
  /** Of the recipient, for the link of the request. */
  readonly fingerprint: string
}

/** What this browser keeps of a request of its user. */
export interface OwnRequest {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  /** Only of guests: the session of a user authorizes the requests of the account. */
  readonly requestToken?: string | undefined
  /** Id of the user; absent for guests. */
  readonly owner?: string | undefined
  readonly key?: RequestKey | undefined
  /** Whether the user has saved or printed the key. */
  readonly isKeySaved?: boolean | undefined
  /** Credential of the passkey that this browser has used for the key, in base64url. */
  readonly passkey?: string | undefined
}

/** Whether the owner can open the request without this browser. */
export const isKeySafe = (
  { isKeySaved }: Pick<OwnRequest, 'isKeySaved'>,
  { wrappedIdentity, passkeyIdentities }: Pick<UploadRequest, 'wrappedIdentity' | 'passkeyIdentities'>,
): boolean => isKeySaved === true || wrappedIdentity !== undefined || passkeyIdentities !== undefined

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKey = (value: unknown): value is RequestKey =>
  isRecord(value) && isText(value['identity']) && isText(value['recipient']) && isText(value['fingerprint'])

const isOwnRequest = (value: unknown): value is OwnRequest =>
  isRecord(value) &&
  isText(value['id']) &&
  isText(value['title']) &&
  isText(value['createdAt']) &&
  [value['requestToken'], value['owner'], value['passkey']].every(
    (field) => field === undefined || isText(field),
  ) &&
  (value['key'] === undefined || isKey(value['key']))

/** Reads a stored entry; undefined if it is damaged or of another version. */
export function readOwnRequest(stored: string): OwnRequest | undefined {
  try {
    const value: unknown = JSON.parse(stored)
    return isOwnRequest(value) ? value : undefined
  } catch {
    return undefined
  }
}
