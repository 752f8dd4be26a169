import * as Type from 'typebox'
import type { Static } from 'typebox'

export const ErrorBody = Type.Object(
  {
    message: Type.String({ description: 'A sentence in English that says what to do.' }),
    code: Type.String({ description: 'The stable code of the error.' }),
  },
  { title: 'Error' },
)
export type ErrorBody = Static<typeof ErrorBody>
