import { MissingDataError, type DataBackend } from '../../data/backend/backend.ts'
import { readFileContent, type OpenContent } from '../content.ts'

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
  const paths = ({ id, uploadId }: PlikFileKey) => [
    `${directory}/${id.slice(0, 2)}/${id}`,
    `${directory}/${uploadId.slice(0, 2)}/${uploadId}/${id}`,
    `${directory}/${uploadId}.${id}`,
    `${directory}/${id}`,
  ]
  return async (key) => {
    for (const path of paths(key)) {
      const content = await readFileContent(path, { links: true })
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
