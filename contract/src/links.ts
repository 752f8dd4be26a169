/** Percent-encodes a file name for a URL path; `/` stays, because it separates folders in a name. */
export function encodeFileName(fileName: string): string {
  return fileName.split('/').map(encodeURIComponent).join('/')
}

/** Path of a file's download, below the service's base URL. */
export function filePath(uploadID: string, fileID: string, fileName: string): string {
  return `/file/${uploadID}/${fileID}/${encodeFileName(fileName)}`
}

/** Path of a file that its uploader sends straight to whoever downloads it. */
export function streamPath(uploadID: string, fileID: string, fileName: string): string {
  return `/stream/${uploadID}/${fileID}/${encodeFileName(fileName)}`
}

/** Path below which files come in pieces by the tus protocol; a file's own path follows its id. */
export function tusPath(uploadID: string, fileID?: string): string {
  return fileID === undefined ? `/tus/${uploadID}` : `/tus/${uploadID}/${fileID}`
}

/** The same by the protocol of the IETF. */
export function resumablePath(uploadID: string, fileID?: string): string {
  return fileID === undefined ? `/resumable/${uploadID}` : `/resumable/${uploadID}/${fileID}`
}

/** Path of an upload's archive. @param fileName what the archive shall be called, ending in `.zip` */
export function archivePath(uploadID: string, fileName: string): string {
  return `/archive/${uploadID}/${encodeURIComponent(fileName)}`
}

/** Path of an upload's page in the web application (specification §4, "Static content"). */
export function pagePath(uploadID: string): string {
  return `/#/?id=${uploadID}`
}
