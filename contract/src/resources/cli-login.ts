import * as Type from 'typebox'
import type { Static } from 'typebox'

export const CliLoginStart = Type.Object(
  {
    code: Type.String({ description: '`XXXX-XXXX`, to be shown to the person.' }),
    secret: Type.String(),
    verifyURL: Type.String(),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds between two polls.' }),
  },
  { title: 'CliLoginStart' },
)
export type CliLoginStart = Static<typeof CliLoginStart>

/** Who waits for the approval of a command-line login. */
export const CliLoginApplicant = Type.Object(
  {
    hostname: Type.String({ description: 'As the computer names itself; anything can stand here.' }),
    address: Type.String({ description: 'Network address that the login was started from.' }),
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
