import { MissingDataError, type DataBackend } from '../../data/backend/backend.ts'
import { readFileContent, type OpenContent } from '../reading/content.ts'

export interface PlikFileKey {
  readonly id: string
  readonly uploadId: string
}

export type OpenPlikFile = (file: PlikFileKey) => ReturnType<OpenContent>

/**
 * The files of a directory: as Plik stores them, as versions before 1.3 did, and as a copy of the objects of Swift, Google
 * Cloud Storage or S3 has them.
 */
export function contentInDirectory(directory: string): OpenPlikFile {
  const places = ({ id, uploadId }: PlikFileKey) => [
    [id.slice(0, 2), id],
    [uploadId.slice(0, 2), uploadId, id],
    [`${uploadId}.${id}`],
    [id],
  ]
  return async (key) => {
    for (const segments of places(key)) {
      const content = await readFileContent({ root: directory, segments })
      if (content !== undefined) return content
    }
    return undefined
  }
}

/** The files that are in the data store of this service already, under their ids. */
export const contentInStore =
  (data: DataBackend): OpenPlikFile =>
  async ({ id }) => {
    try {
      return await data.get(id)
    } catch (error) {
      if (error instanceof MissingDataError) return undefined
      throw error
    }
  }
