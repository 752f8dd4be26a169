import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'

/** A link that is sent by email (docs/mail.md). */
export const LinkMail = Type.Object(
  {
    addresses: Type.Array(Type.String({ minLength: 3, maxLength: limits.mailAddressLength }), {
      minItems: 1,
      maxItems: limits.mailAddresses,
      description: 'Each gets a separate message.',
    }),
    message: Type.Optional(
      Type.String({ maxLength: limits.mailMessageLength, description: 'Plain text, which is quoted.' }),
    ),
    language: Type.Optional(
      Type.String({
        maxLength: 16,
        description: 'Language of the message, such as `de`. Default: the one of the account.',
      }),
    ),
  },
  { title: 'LinkMail' },
)
export type LinkMail = Static<typeof LinkMail>

export const LinkMailResult = Type.Object(
  { accepted: Type.Integer({ minimum: 1, description: 'Addresses to which the link is sent.' }) },
  { title: 'LinkMailResult' },
)
export type LinkMailResult = Static<typeof LinkMailResult>
