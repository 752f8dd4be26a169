import { filePath, manifestName, type File, type Upload, type UploadOptions } from '@svc/contract'
import type { TestServer } from '../servers/test-server.ts'

/** The beginning of an encrypted file, as far as a server reads it. */
export const ageFile = (content: string | Uint8Array = ''): Blob =>
  new Blob(['age-encryption.org/v1\n-> scrypt c2FsdA 10\n', content as Uint8Array<ArrayBuffer>])

/** A stored file with the path of its download. */
export interface PlacedFile {
  readonly file: File
  readonly path: string
}

export interface ManifestedUpload {
  readonly upload: Upload
  readonly uploadToken: string
  readonly files: readonly PlacedFile[]
  readonly manifest: PlacedFile
}

/** A new encrypted upload with a manifest, which arrives last. */
export async function storeManifested(
  { client }: Pick<TestServer, 'client'>,
  names: readonly string[],
  options: UploadOptions,
): Promise<ManifestedUpload> {
  const declared = [...names, manifestName].map((fileName) => ({ fileName }))
  const upload = await client.createUpload({ e2ee: 'age', ...options, files: declared })
  const { id, uploadToken = '' } = upload
  const send = async (fileName: string): Promise<PlacedFile> => {
    const fileID = upload.files.find((file) => file.fileName === fileName)?.id
    const file = await client.addFile(id, ageFile(fileName), { fileName, fileID, uploadToken })
    return { file, path: filePath(id, file.id, fileName) }
  }
  const files: PlacedFile[] = []
  for (const name of names) files.push(await send(name))
  return { upload, uploadToken, files, manifest: await send(manifestName) }
}
