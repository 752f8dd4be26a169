import {
  archivePath,
  endpointPath,
  filePath,
  pagePath,
  previewPath,
  requestPagePath,
  streamPath,
  type File,
  type Upload,
  withFingerprint,
  withoutSlash,
} from '@svc/contract'

/** The fields of an upload that its links contain. */
export type LinkedUpload = Pick<Upload, 'id'> & {
  readonly downloadURL?: string | undefined
  readonly stream?: boolean
}
export type LinkedFile = Pick<File, 'id' | 'fileName'>

export interface PageLink {
  readonly fileID?: string
  /** Makes it the link to manage the upload, which allows deleting the files and the upload. */
  readonly uploadToken?: string
  /** Seconds at which a player begins. */
  readonly start?: number
}

/**
 * Links to an upload and its files (docs/protocol.md#upload).
 * @param baseURL address of the server, for servers without a configured domain
 */
export function createLinks(baseURL: string) {
  const base = withoutSlash(baseURL)
  const downloads = (upload: LinkedUpload) => withoutSlash(upload.downloadURL ?? base)
  return {
    /** @param disposition `save` asks the browser to save the file instead of showing it */
    fileURL: (upload: LinkedUpload, file: LinkedFile, disposition: 'show' | 'save' = 'show') =>
      downloads(upload) +
      (upload.stream === true ? streamPath : filePath)(upload.id, file.id, file.fileName) +
      (disposition === 'save' ? '?dl=1' : ''),
    previewURL: (upload: LinkedUpload, file: LinkedFile) =>
      downloads(upload) + previewPath(upload.id, file.id, file.fileName),
    /** @param fileName name of the archive, ending in `.zip` */
    archiveURL: (upload: LinkedUpload, fileName = `${upload.id}.zip`) =>
      downloads(upload) + archivePath(upload.id, fileName) + '?dl=1',
    /** The upload's page in the web application. */
    pageURL: (upload: LinkedUpload, { fileID, uploadToken, start }: PageLink = {}) =>
      base +
      pagePath(upload.id) +
      (fileID === undefined ? '' : `&file=${fileID}`) +
      (uploadToken === undefined ? '' : `&uploadToken=${uploadToken}`) +
      (start === undefined ? '' : `&t=${String(start)}`),
    /** The short link of the page, which chats can describe, with the alias of the upload if it has one. */
    shortURL: ({ id, alias = id }: Pick<Upload, 'id' | 'alias'>) =>
      base + endpointPath('GET /s/{uploadID}', { uploadID: alias }),
    /**
     * The page on which senders send files to an upload request.
     * @param fingerprint fingerprint of its recipient, if files are encrypted
     */
    requestURL: (request: { readonly id: string }, fingerprint?: string) =>
      withFingerprint(base + requestPagePath(request.id), fingerprint),
    /** @param pixels width and height of the image */
    qrCodeURL: (url: string, pixels?: number) =>
      `${base}${endpointPath('GET /qrcode', {})}?url=${encodeURIComponent(url)}` +
      (pixels === undefined ? '' : `&size=${String(pixels)}`),
  }
}

export type Links = ReturnType<typeof createLinks>
