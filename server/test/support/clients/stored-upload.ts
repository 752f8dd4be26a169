import { filePath, type File, type Upload, type UploadOptions } from '@svc/contract'
import type { TestServer } from '../servers/test-server.ts'

export interface StoredUpload {
  readonly upload: Upload
  readonly uploadToken: string
  readonly file: File
  /** Path of its download. */
  readonly path: string
}

/** A new upload with one file. */
export async function storeUpload(
  { client }: Pick<TestServer, 'client'>,
  content: string | Uint8Array = 'content',
  { fileName = 'file.txt', ...options }: UploadOptions & { readonly fileName?: string } = {},
): Promise<StoredUpload> {
  const upload = await client.createUpload(options)
  const uploadToken = upload.uploadToken ?? ''
  const source = new Blob([content as Uint8Array<ArrayBuffer>])
  const file = await client.addFile(upload.id, source, { fileName, uploadToken })
  return { upload, uploadToken, file, path: filePath(upload.id, file.id, file.fileName) }
}

/** An upload with files, each with its name as its content. */
export async function storeNamedFiles(
  { client }: Pick<TestServer, 'client'>,
  names: readonly string[],
  options: UploadOptions = {},
) {
  const files = names.map((fileName) => ({ fileName }))
  const upload = await client.createUpload({ ...options, files })
  const { uploadToken } = upload
  for (const { id, fileName } of upload.files)
    await client.addFile(upload.id, new Blob([fileName]), { fileName, fileID: id, uploadToken })
  return { upload, ids: upload.files.map(({ id }) => id), path: `/file/${upload.id}/` }
}

/**
 * Incompressible bytes of an unknown type.
 * @param length at most 64 MiB
 */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}
