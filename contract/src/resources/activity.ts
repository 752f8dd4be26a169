import * as Type from 'typebox'
import type { Static } from 'typebox'

/** How a download ended. */
export const downloadResults = ['whole', 'part', 'broken', 'direct'] as const

/** The program that downloads, as it names itself. */
export const clientKinds = ['browser', 'svc', 'curl', 'wget', 'other'] as const
export type ClientKind = (typeof clientKinds)[number]

/** A download of an upload (docs/protocol.md#activity). */
export const Download = Type.Object(
  {
    endedAt: Type.String({ format: 'date-time', description: 'RFC 3339.' }),
    fileID: Type.Optional(Type.String({ description: 'Absent for an archive of all files.' })),
    bytes: Type.Integer({ minimum: 0, description: 'Bytes that were sent.' }),
    result: Type.Enum([...downloadResults], {
      description:
        '`whole`: all bytes; `part`: a range of them; `broken`: fewer than requested; `direct`: the object store sends them, so their number is unknown.',
    }),
    client: Type.Enum([...clientKinds]),
    address: Type.Optional(
      Type.String({ description: 'Address of the client, with `ActivityAddresses` only.' }),
    ),
  },
  { title: 'Download' },
)
export interface Download extends Static<typeof Download> {
  result: (typeof downloadResults)[number]
  client: ClientKind
}
