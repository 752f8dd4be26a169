import * as Type from 'typebox'
import type { Static } from 'typebox'

export const CliLoginStart = Type.Object(
  {
    code: Type.String({ description: '`XXXX-XXXX`, to show to the user.' }),
    secret: Type.String(),
    verifyURL: Type.String(),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds between two polls.' }),
  },
  { title: 'CliLoginStart' },
)
export type CliLoginStart = Static<typeof CliLoginStart>

/** A command-line sign-in that waits for approval. */
export const CliLoginApplicant = Type.Object(
  {
    hostname: Type.String({ description: 'Name that the computer reports; not verified.' }),
    address: Type.String({ description: 'Network address that started the sign-in.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'CliLoginApplicant' },
)
export type CliLoginApplicant = Static<typeof CliLoginApplicant>

export const CliLoginState = Type.Object(
  { status: Type.Enum(['pending', 'approved']), token: Type.Optional(Type.String()) },
  { title: 'CliLoginState' },
)
export type CliLoginState = Static<typeof CliLoginState>
