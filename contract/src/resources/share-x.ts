import * as Type from 'typebox'
import type { Static } from 'typebox'

/** A custom uploader of ShareX, as its files of the ending `.sxcu` have it (format of its version 14). */
export const ShareX = Type.Object(
  {
    Version: Type.String(),
    Name: Type.String({ description: 'What ShareX calls it among its destinations.' }),
    DestinationType: Type.String(),
    RequestMethod: Type.String(),
    RequestURL: Type.String(),
    Headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'For scripts that add a user token to it; the server never does.',
      }),
    ),
    Body: Type.String(),
    FileFormName: Type.String(),
    URL: Type.String({ description: 'How ShareX finds the link in the answer.' }),
    DeletionURL: Type.String(),
    ErrorMessage: Type.String(),
  },
  { title: 'ShareX' },
)
export type ShareX = Static<typeof ShareX>
