/** Percent-encodes a file name for a URL path; `/` stays, because it separates folders in a name. */
export function encodeFileName(fileName: string): string {
  return fileName.split('/').map(encodeURIComponent).join('/')
}

/** Path of a file's download, below the service's base URL. */
export function filePath(uploadID: string, fileID: string, fileName: string): string {
  return `/file/${uploadID}/${fileID}/${encodeFileName(fileName)}`
}

/** Path of a file that is streamed from its sender to its recipient. */
export function streamPath(uploadID: string, fileID: string, fileName: string): string {
  return `/stream/${uploadID}/${fileID}/${encodeFileName(fileName)}`
}

/** Path of resumable uploads by the tus protocol: to create a file, or of a file with its id. */
export function tusPath(uploadID: string, fileID?: string): string {
  return fileID === undefined ? `/tus/${uploadID}` : `/tus/${uploadID}/${fileID}`
}

/** Path of resumable uploads by the IETF protocol, as `tusPath`. */
export function resumablePath(uploadID: string, fileID?: string): string {
  return fileID === undefined ? `/resumable/${uploadID}` : `/resumable/${uploadID}/${fileID}`
}

/** Path of an upload's archive. @param fileName name of the archive, ending in `.zip` */
export function archivePath(uploadID: string, fileName: string): string {
  return `/archive/${uploadID}/${encodeURIComponent(fileName)}`
}

/** Path of an upload's page in the web application (docs/protocol.md#the-web-application). */
export function pagePath(uploadID: string): string {
  return `/#/?id=${uploadID}`
}
