import * as Type from 'typebox'
import type { Static } from 'typebox'

/** A custom uploader of ShareX: the content of a `.sxcu` file (format of ShareX 14). */
export const ShareX = Type.Object(
  {
    Version: Type.String(),
    Name: Type.String({ description: 'Name in the list of destinations.' }),
    DestinationType: Type.String(),
    RequestMethod: Type.String(),
    RequestURL: Type.String(),
    Headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'For scripts that add a user token; the server never sets headers.',
      }),
    ),
    Body: Type.String(),
    FileFormName: Type.String(),
    URL: Type.String({ description: 'How ShareX finds the link in the response.' }),
    DeletionURL: Type.String(),
    ErrorMessage: Type.String(),
  },
  { title: 'ShareX' },
)
export type ShareX = Static<typeof ShareX>
