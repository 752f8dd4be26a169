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

/** An error as problem details (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: 'URI of a problem type of draft-ietf-httpbis-resumable-upload.' }),
    ),
    title: Type.String({ description: 'The same as `message`.' }),
    status: Type.Integer({ description: 'The status of the response.' }),
    'expected-offset': Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes that are stored.' })),
    'provided-offset': Type.Optional(
      Type.Integer({ minimum: 0, description: '`Upload-Offset` of the request.' }),
    ),
    ...ErrorBody.properties,
  },
  { title: 'Problem' },
)
