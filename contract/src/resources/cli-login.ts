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

export const CliLoginState = Type.Object(
  { status: Type.Enum(['pending', 'approved']), token: Type.Optional(Type.String()) },
  { title: 'CliLoginState' },
)
export type CliLoginState = Static<typeof CliLoginState>
