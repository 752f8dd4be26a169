import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'

export const fileStatuses = ['missing', 'uploading', 'uploaded', 'removed', 'deleted'] as const
export const FileStatus = Type.Enum([...fileStatuses], { title: 'FileStatus' })
export type FileStatus = (typeof fileStatuses)[number]

/** A file of an upload (docs/protocol.md#file). */
export const File = Type.Object(
  {
    id: Type.String(),
    reference: Type.Optional(
      Type.String({ description: 'The client’s identifier of the file, from its declaration.' }),
    ),
    fileName: Type.String(),
    fileSize: Type.Integer({ description: 'Bytes.' }),
    type: Type.String({ description: 'Media type, detected from the content.' }),
    md5: Type.String({ description: '32 hexadecimal digits; empty until the file is uploaded.' }),
    status: FileStatus,
    downloadsLeft: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'How many times the file can still be downloaded; absent without a limit, and for the manifest.',
      }),
    ),
    usedUp: Type.Optional(
      Type.Boolean({
        description:
          'True if the file is gone because all downloads that `oneShot` or `maxDownloads` allows are used, or because the recipient of a stream has it; otherwise absent.',
      }),
    ),
    notUploaded: Type.Optional(
      Type.Boolean({
        description:
          'True if the file is gone and was never complete, because it was cancelled or has failed; otherwise absent, and for streams.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Bytes received of a resumable file, or by the recipient of a stream; only for callers that can manage the upload.',
      }),
    ),
    preview: Type.Optional(
      Type.Boolean({ description: 'True if the file has a preview (`GET /preview/…`); otherwise absent.' }),
    ),
    interrupted: Type.Optional(
      Type.Boolean({ description: 'True while no connection sends a resumable file that is incomplete.' }),
    ),
  },
  { title: 'File' },
)
export interface File extends Static<typeof File> {
  status: FileStatus
}

/** A file that is declared when its upload is created. */
export const FileDeclaration = Type.Object(
  {
    reference: Type.Optional(Type.String({ maxLength: limits.referenceLength })),
    fileName: Type.String({ description: '`/` separates folders.' }),
    fileSize: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Bytes, if the client knows the size.' }),
    ),
  },
  { title: 'FileDeclaration' },
)
export type FileDeclaration = Static<typeof FileDeclaration>
