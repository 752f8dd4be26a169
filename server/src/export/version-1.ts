import * as Type from 'typebox'
import { userTokenKeys } from '../domain/user-token-keys.ts'
import { nullable, record, schemas, type Fields } from './record-lines.ts'

/** The form of a user token, which version 1 of the format contains in full. */
const token = Type.String({ pattern: '^[0-9A-Za-z_-]{36,41}$' })

const { comment, userId, createdAt, usedAt, expireAt } = schemas.token.properties
const tokenLine = record({ token, userId, comment, createdAt, usedAt, expireAt })
const uploadLine = record({ ...schemas.upload.properties, userToken: nullable(token) })

/** The schemas of exports of version 1, which contain whole user tokens. */
export const schemas1 = { ...schemas, token: tokenLine, upload: uploadLine }

/** Converts the validated fields of a line of version 1 to the current version. */
export function fromVersion1(kind: unknown, fields: object): object {
  if (kind === 'token') {
    const { token, ...rest } = fields as Type.Static<typeof tokenLine>
    return { ...rest, ...userTokenKeys(token), scopes: null, renewal: null } satisfies Fields<'token'>
  }
  if (kind !== 'upload') return fields
  const upload = fields as Type.Static<typeof uploadLine>
  const { userToken } = upload
  return {
    ...upload,
    userToken: userToken === null ? null : userTokenKeys(userToken).id,
  } satisfies Fields<'upload'>
}
