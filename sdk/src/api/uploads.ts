import {
  archivePath,
  headers as names,
  type File,
  type QuickUploadQuery,
  type Upload,
  type UploadOptions,
  withoutSlash,
} from '@svc/contract'
import type { Access } from '../core/access.ts'
import { ApiError, jsonOf } from '../core/api-error.ts'
import type { Connection, DownloadOptions, SendOptions } from '../http/connection.ts'
import { createLinks, type LinkedFile, type LinkedUpload } from '../core/links.ts'
import { withQuery } from '../core/paths.ts'
import { endpointCalls, pathTo } from '../http/calls.ts'
import { requireEncrypted } from '../source/require-encrypted.ts'
import { defaultThreshold, type ResumableOptions } from '../resumable/resumable-file.ts'
import { sendInParts } from '../resumable/send-in-parts.ts'
import { sliceOf, type Source } from '../source/source.ts'

export interface AddFileOptions extends SendOptions {
  readonly uploadToken?: string | undefined
  /** Id of a file that was declared when the upload was created. */
  readonly fileID?: string | undefined
  /** How a large file is sent in parts, so that it can resume after an interruption; `false` sends it in one request. */
  readonly resumable?: ResumableOptions | false | undefined
}

export interface QuickUpload {
  /** Download address of the file. */
  readonly url: string
  readonly uploadID: string
  readonly uploadToken: string
}

/** What everything begins with: another service may answer as well, and its JSON is none. @throws ApiError `invalid_answer` */
function uploadIn(answer: unknown): Upload {
  const { id, files } = (answer ?? {}) as Partial<Upload>
  if (typeof id === 'string' && Array.isArray(files)) return answer as Upload
  throw new ApiError(200, 'invalid_answer', 'the answer is no upload; something else listens there')
}

/** The same for a file that was sent: what says nothing of it has not kept it. @throws ApiError `invalid_answer` */
function fileIn(answer: unknown): File {
  const { id } = (answer ?? {}) as Partial<File>
  if (typeof id === 'string') return answer as File
  throw new ApiError(200, 'invalid_answer', 'the response is not a file; a proxy may have replaced it')
}

/** The parameters in the path of a file. */
const paramsOf = (uploadID: string, { id, fileName }: LinkedFile) => ({
  uploadID,
  fileID: id,
  filename: fileName,
})

/** Uploads and their files (specification §4, "Upload and file endpoints"). */
export function uploadCalls(connection: Connection) {
  const { base, open, send } = connection
  const { call, request } = endpointCalls(connection)
  const links = createLinks(base)
  /** @returns the file's id; undefined when it has to go in one piece */
  const inPieces = async (uploadID: string, source: Source, options: AddFileOptions) => {
    const { resumable = {} } = options
    const slice = sliceOf(source)
    const { size } = source
    if (resumable === false || slice === undefined || size === undefined) return undefined
    if (size <= (resumable.threshold ?? defaultThreshold)) return undefined
    return sendInParts(connection, { ...options, ...resumable, uploadID, size, slice })
  }
  const asForm = async (uploadID: string, source: Source, options: AddFileOptions) => {
    const { fileID, ...form } = options
    const path =
      fileID === undefined
        ? pathTo('POST /file/{uploadID}', { uploadID })
        : pathTo('POST /file/{uploadID}/{fileID}/{filename}', { uploadID, fileID, filename: form.fileName })
    return fileIn(jsonOf(await send(path, source, form)))
  }
  return {
    createUpload: async (upload: UploadOptions = {}) =>
      uploadIn(await call('POST /upload', { body: upload })),
    upload: async (uploadID: string, access?: Access) =>
      uploadIn(await call('GET /upload/{uploadID}', { params: { uploadID }, access })),
    removeUpload: async (uploadID: string, access?: Access): Promise<void> => {
      await request('DELETE /upload/{uploadID}', { params: { uploadID }, access })
    },

    /**
     * Sends a file into an upload. A large file whose bytes can be read again (a Blob, a SeekableSource) is sent in
     * parts if the server supports them: interruptions are waited out. In browsers each request body is collected
     * into a Blob first.
     */
    addFile: async (uploadID: string, given: Source, options: AddFileOptions): Promise<File> => {
      const source = await requireEncrypted(given, options.e2ee)
      const id = await inPieces(uploadID, source, options)
      if (id !== undefined) {
        const { uploadToken } = options
        const { files } = await call('GET /upload/{uploadID}', {
          params: { uploadID },
          access: { uploadToken },
        })
        const added = files.find((file) => file.id === id)
        if (added !== undefined) return added
      }
      return asForm(uploadID, source, options)
    },
    /** The same, without asking what became of the file: for who sends many. @returns the file's id */
    sendFile: async (uploadID: string, given: Source, options: AddFileOptions): Promise<string> => {
      const source = await requireEncrypted(given, options.e2ee)
      return (await inPieces(uploadID, source, options)) ?? (await asForm(uploadID, source, options)).id
    },
    removeFile: async (uploadID: string, file: LinkedFile, access?: Access): Promise<void> => {
      await request('DELETE /file/{uploadID}/{fileID}/{filename}', {
        params: paramsOf(uploadID, file),
        access,
      })
    },

    /**
     * Sends a declared file of a stream upload to its downloader. Resolves when that has every byte; fails with
     * `stream_timeout` without a download in time, and with `stream_broken` when the downloader goes away.
     */
    sendStream: async (
      uploadID: string,
      file: LinkedFile,
      source: Source,
      form: Omit<AddFileOptions, 'fileID' | 'fileName'>,
    ): Promise<File> => {
      const path = pathTo('POST /stream/{uploadID}/{fileID}/{filename}', paramsOf(uploadID, file))
      return fileIn(jsonOf(await send(path, source, { ...form, fileName: file.fileName })))
    },
    /** Ends a stream for both its sides. */
    cancelStream: async (uploadID: string, file: LinkedFile, access?: Access): Promise<void> => {
      await request('DELETE /stream/{uploadID}/{fileID}/{filename}', {
        params: paramsOf(uploadID, file),
        access,
      })
    },

    /** A file's bytes as a response; the body is the caller's to read or cancel. */
    download: (upload: LinkedUpload, file: LinkedFile, of?: DownloadOptions) =>
      open(links.fileURL(upload, file), of),
    /** All files as a zip archive. */
    downloadArchive: (upload: LinkedUpload, fileName = `${upload.id}.zip`, of?: DownloadOptions) =>
      open(withoutSlash(upload.downloadURL ?? base) + archivePath(upload.id, fileName), of),

    /** Creates an upload and sends its only file in one call; its options travel in the query. */
    quickUpload: async (
      source: Source,
      form: SendOptions,
      query: QuickUploadQuery = {},
    ): Promise<QuickUpload> => {
      const answer = await send(withQuery(pathTo('POST /', {}), query), source, { e2ee: query.e2ee, ...form })
      const { id: uploadID } = fileIn({ id: answer.header(names.uploadId) })
      const uploadToken = answer.header(names.uploadToken) ?? ''
      return { url: answer.text.trim(), uploadID, uploadToken }
    },
  }
}
