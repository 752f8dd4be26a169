import { ApiError } from './api-error.ts'

/**
 * Detects a selected file that was changed, moved or removed: browsers do not read it, and a request with it fails as if
 * there were no connection.
 * @returns ApiError `file_unreadable`, with the status 0, since no request was sent; undefined where the file can be read
 */
export async function unreadableFileError(file: Blob): Promise<ApiError | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return undefined
  } catch (cause) {
    const message = 'the file can no longer be read: it was changed, moved or removed'
    return new ApiError(0, 'file_unreadable', message, { cause })
  }
}
