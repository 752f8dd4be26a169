import type { PathParameters } from '../endpoints/endpoint.ts'
import type { EndpointKey, PathOf } from '../endpoints/index.ts'

/** The values of the parameters in an endpoint's path, by name. */
export type PathValues<K extends EndpointKey> = Readonly<Record<PathParameters<PathOf<K>>, string>>

/** Percent-encodes a file name for a URL path; `/` stays, because it separates folders in a name. */
export function encodeFileName(fileName: string): string {
  return fileName.split('/').map(encodeURIComponent).join('/')
}

/** The path of an endpoint below the service's base URL, with its parameters percent-encoded. */
export function endpointPath<K extends EndpointKey>(key: K, values: PathValues<K>): string {
  const parameters: Readonly<Record<string, string>> = values
  const [, template = ''] = key.split(' ')
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    // The name of an archive has no folders.
    const encode =
      name === 'filename' && !template.startsWith('/archive/') ? encodeFileName : encodeURIComponent
    return encode(parameters[name] ?? '')
  })
}

/** Path of a file's download, below the service's base URL. */
export function filePath(uploadID: string, fileID: string, fileName: string): string {
  return endpointPath('GET /file/{uploadID}/{fileID}/{filename}', { uploadID, fileID, filename: fileName })
}

/** Path of a file that is streamed from its sender to its recipient. */
export function streamPath(uploadID: string, fileID: string, fileName: string): string {
  return endpointPath('GET /stream/{uploadID}/{fileID}/{filename}', { uploadID, fileID, filename: fileName })
}

/** Path of the preview of a file. */
export function previewPath(uploadID: string, fileID: string, fileName: string): string {
  return endpointPath('GET /preview/{uploadID}/{fileID}/{filename}', {
    uploadID,
    fileID,
    filename: fileName,
  })
}

/** Path of resumable uploads by the tus protocol: to create a file, or of a file with its id. */
export function tusPath(uploadID: string, fileID?: string): string {
  return fileID === undefined
    ? endpointPath('POST /tus/{uploadID}', { uploadID })
    : endpointPath('PATCH /tus/{uploadID}/{fileID}', { uploadID, fileID })
}

/** Path of resumable uploads by the IETF protocol, as `tusPath`. */
export function resumablePath(uploadID: string, fileID?: string): string {
  return fileID === undefined
    ? endpointPath('POST /resumable/{uploadID}', { uploadID })
    : endpointPath('PATCH /resumable/{uploadID}/{fileID}', { uploadID, fileID })
}

/**
 * Path of an upload's archive.
 * @param fileName name of the archive, ending in `.zip`
 */
export function archivePath(uploadID: string, fileName: string): string {
  return endpointPath('GET /archive/{uploadID}/{filename}', { uploadID, filename: fileName })
}

/** Path of an upload's page in the web application (docs/protocol.md#the-web-application). */
export function pagePath(uploadID: string): string {
  return `/#/?id=${uploadID}`
}

/** Path of the page of an upload request, for its senders. */
export function requestPagePath(requestID: string): string {
  return `/#/request?id=${requestID}`
}

/**
 * A link to an upload request, with the fingerprint of its recipient: it shows the sender that the server names the recipient
 * of the owner.
 * @param fingerprint undefined where nothing is encrypted
 */
export const withFingerprint = (url: string, fingerprint: string | undefined): string =>
  fingerprint === undefined ? url : `${url}&key=${fingerprint}`

/** A URL without slashes at its end, so that a path can follow. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/**
 * A link with the key that opens its files. Browsers and clients read what follows `#`; it never reaches a server.
 * @param key undefined where nothing is encrypted, or where the key is shared separately
 * @param manifest the mark of the manifest, which shows when a server withholds it; undefined for an upload without one
 */
export function withKey(url: string, key: string | undefined, manifest?: string): string {
  const mark = manifest === undefined ? '' : `${url.includes('#') ? '&' : '#'}manifest=${manifest}`
  return url + mark + (key === undefined ? '' : `#key=${encodeURIComponent(key)}`)
}
