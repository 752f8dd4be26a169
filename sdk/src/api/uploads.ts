import {
  archivePath,
  type Download,
  type DownloadListing,
  headers as names,
  type File,
  type LinkMail,
  type LinkMailResult,
  type Page,
  type QuickUploadQuery,
  type UploadChanges,
  type UploadOptions,
  withoutSlash,
} from '@svc/contract'
import type { Access } from '../http/access.ts'
import { jsonOf } from '../errors/api-error.ts'
import type { Connection, DownloadOptions, SendOptions } from '../http/connection.ts'
import { createLinks, type LinkedFile, type LinkedUpload } from './links.ts'
import { withQuery } from '../http/paths.ts'
import { endpointCalls, pathTo } from '../http/calls.ts'
import { requireEncrypted } from '../source/require-encrypted.ts'
import { fileIn, idIn, uploadIn } from '../http/upload-responses.ts'
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

/** The parameters in the path of a file. */
const paramsOf = (uploadID: string, { id, fileName }: LinkedFile) => ({
  uploadID,
  fileID: id,
  filename: fileName,
})

/**
 * Whether only parts keep the name: receivers of a form take its last segment (RFC 7578 §4.2). A declared file has its name
 * already.
 */
const isInFolder = ({ fileID, fileName }: AddFileOptions): boolean =>
  fileID === undefined && fileName.includes('/')

/** Uploads and their files (docs/protocol.md#files). */
export function uploadCalls(connection: Connection) {
  const { base, open, send } = connection
  const { call, request } = endpointCalls(connection)
  const links = createLinks(base)
  /** @returns the file's id; undefined when the file must be sent in one request */
  const inParts = async (uploadID: string, source: Source, options: AddFileOptions) => {
    const { resumable = {} } = options
    const slice = sliceOf(source)
    const { size } = source
    if (resumable === false || slice === undefined || size === undefined) return undefined
    if (size <= (resumable.threshold ?? defaultThreshold) && !isInFolder(options)) return undefined
    return sendInParts(connection, { ...options, ...resumable, uploadID, size, slice })
  }
  const asForm = async (uploadID: string, source: Source, options: AddFileOptions) => {
    if (isInFolder(options))
      throw new TypeError(
        `${options.fileName}: a single request keeps no folders in the name of a file; declare the file with createUpload`,
      )
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
    /** Changes an upload; requires its owner, its token or an admin. */
    changeUpload: async (uploadID: string, changes: UploadChanges, access?: Access) =>
      uploadIn(await call('PATCH /upload/{uploadID}', { params: { uploadID }, body: changes, access })),
    /** The downloads of an upload; requires its token, its owner or an admin. */
    downloads: (uploadID: string, query: DownloadListing = {}, access?: Access): Promise<Page<Download>> =>
      call('GET /upload/{uploadID}/activity', { params: { uploadID }, query, access }),
    /** Sends the link of an upload by email; requires the session, or a token, of its owner. */
    mailLink: (uploadID: string, mail: LinkMail): Promise<LinkMailResult> =>
      call('POST /upload/{uploadID}/mail', { params: { uploadID }, body: mail }),
    removeUpload: async (uploadID: string, access?: Access): Promise<void> => {
      await request('DELETE /upload/{uploadID}', { params: { uploadID }, access })
    },

    /**
     * Sends a file into an upload. A large file whose bytes can be read again (a Blob, a SeekableSource) is sent in
     * parts if the server supports them, and resumes after interruptions. Browsers collect each request body into a
     * Blob first. A file whose name has folders is sent in parts regardless of its size.
     * @throws ApiError when the server refuses; TypeError when the name has folders, and the file can neither be sent in parts nor is
     * declared
     */
    addFile: async (uploadID: string, content: Source, options: AddFileOptions): Promise<File> => {
      const source = await requireEncrypted(content, options.e2ee)
      const id = await inParts(uploadID, source, options)
      if (id !== undefined) {
        const { uploadToken } = options
        const access = { uploadToken }
        const { files } = uploadIn(await call('GET /upload/{uploadID}', { params: { uploadID }, access }))
        const added = files.find((file) => file.id === id)
        if (added !== undefined) return added
      }
      return asForm(uploadID, source, options)
    },
    /**
     * Sends a file without requesting its metadata afterwards, which saves time for many files.
     * @returns the file's id
     */
    sendFile: async (uploadID: string, content: Source, options: AddFileOptions): Promise<string> => {
      const source = await requireEncrypted(content, options.e2ee)
      return (await inParts(uploadID, source, options)) ?? (await asForm(uploadID, source, options)).id
    },
    removeFile: async (uploadID: string, file: LinkedFile, access?: Access): Promise<void> => {
      await request('DELETE /file/{uploadID}/{fileID}/{filename}', {
        params: paramsOf(uploadID, file),
        access,
      })
    },

    /**
     * Sends a declared file of a stream upload to its downloader. Resolves when the downloader has every byte; fails with
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
    /** Ends a stream for its sender and its downloader. */
    cancelStream: async (uploadID: string, file: LinkedFile, access?: Access): Promise<void> => {
      await request('DELETE /stream/{uploadID}/{fileID}/{filename}', {
        params: paramsOf(uploadID, file),
        access,
      })
    },

    /** The response with a file's bytes. The caller reads or cancels its body. */
    download: (upload: LinkedUpload, file: LinkedFile, options?: DownloadOptions) =>
      open(links.fileURL(upload, file), options),
    /**
     * Adds the preview of a stored file: a JPEG, PNG or WebP image of at most `limits.previewBytes`, or an encrypted one in an encrypted
     * upload. Requires the token of the upload or its owner.
     * @throws ApiError `preview_refused`, `preview_exists`, …
     */
    addPreview: async (
      uploadID: string,
      file: LinkedFile,
      preview: Blob | Uint8Array<ArrayBuffer>,
      access?: Access,
    ): Promise<void> => {
      const path = pathTo('PUT /preview/{uploadID}/{fileID}/{filename}', paramsOf(uploadID, file))
      // Files are more urgent.
      await connection.call(path, { method: 'PUT', body: preview, priority: 'low' }, access)
    },
    /** The response with the preview of a file that has one (`preview`). The caller reads or cancels its body. */
    preview: (upload: LinkedUpload, file: LinkedFile, options?: DownloadOptions) =>
      open(links.previewURL(upload, file), options),
    /** All files as a zip archive. */
    downloadArchive: (upload: LinkedUpload, fileName = `${upload.id}.zip`, options?: DownloadOptions) =>
      open(withoutSlash(upload.downloadURL ?? base) + archivePath(upload.id, fileName), options),

    /** Creates an upload and sends its only file in one call; its options travel in the query. Of a name with folders, it keeps the last segment. */
    quickUpload: async (
      source: Source,
      form: SendOptions,
      query: QuickUploadQuery = {},
    ): Promise<QuickUpload> => {
      const response = await send(withQuery(pathTo('POST /', {}), query), source, {
        e2ee: query.e2ee,
        ...form,
      })
      const uploadID = idIn(response.header(names.uploadId))
      const uploadToken = response.header(names.uploadToken) ?? ''
      return { url: response.text.trim(), uploadID, uploadToken }
    },
  }
}
