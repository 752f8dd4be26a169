import type { File, Upload } from '@svc/contract'

/**
 * Names of Plik (https://github.com/root-gg/plik), whose protocol this service shares, where they differ from ours.
 */
export const plikNames = {
  /** Header of a user token. */
  userToken: 'x-pliktoken',
  /** Login of a protected upload whose sender gave only a password. */
  defaultLogin: 'plik',
  /** Fields of a file, by our names. */
  file: { md5: 'fileMd5', type: 'fileType' },
} as const

/** A file or an upload as a server sends it. */
type Body = Readonly<Record<string, unknown>>

/** A file with our names. Plik leaves out what is empty. */
export const fileWithOurNames = (body: Body): File =>
  ({
    ...body,
    md5: body['md5'] ?? body[plikNames.file.md5] ?? '',
    type: body['type'] ?? body[plikNames.file.type] ?? '',
  }) as unknown as File

/** An upload with our names, with the files of its response. Earlier versions of Plik know fewer fields. */
export function uploadWithOurNames(body: Body, files: readonly Body[]): Upload {
  const { downloadDomain } = body
  const downloadURL =
    body['downloadURL'] ?? (downloadDomain === '' || downloadDomain === null ? undefined : downloadDomain)
  return {
    ...body,
    e2ee: body['e2ee'] ?? '',
    extend_ttl: body['extend_ttl'] ?? false,
    expireAt: body['expireAt'] ?? null,
    ...(downloadURL !== undefined && { downloadURL }),
    files: files.map(fileWithOurNames),
  } as unknown as Upload
}
