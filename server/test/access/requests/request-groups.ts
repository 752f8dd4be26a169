import type { ChainName } from '@svc/contract'
import { requestBuilders, routeOf } from './requests.ts'

const throughChains = (...chains: readonly ChainName[]): string[] =>
  Object.keys(requestBuilders).filter((label) => {
    const { chain, method } = routeOf(label).endpoint
    return chains.includes(chain) && method !== 'OPTIONS'
  })

/** Requests about an upload that share a line of the table. */
const uploadGroups: Readonly<Record<string, readonly string[]>> = {
  'new upload': ['createUpload', 'quickUpload', 'quickUploadRaw'],
  preflight: [
    'downloadFile OPTIONS',
    'browseFiles OPTIONS',
    'downloadStream OPTIONS',
    'downloadArchive OPTIONS',
    'getPreview OPTIONS',
    'tusOptions',
    'resumableOptions',
  ],
  'see it': [
    'getUpload',
    'downloadFile',
    'downloadFile HEAD',
    'browseFiles',
    'browseFiles HEAD',
    'browseFiles by name',
    'downloadStream',
    'downloadStream HEAD',
    'downloadArchive',
    'downloadArchive HEAD',
  ],
  'see its preview': ['getPreview', 'getPreview HEAD'],
  'add a preview': ['putPreview'],
  'open its page': ['previewLink'],
  'see its downloads': ['listDownloads'],
  'mail it': ['mailLink'],
  'add to it': ['addFile', 'addDeclaredFile', 'sendStream'],
  'start a file': ['tusCreate', 'resumableCreate'],
  'get the offset': ['resumableHead'],
  'get the offset by tus': ['tusHead'],
  'get the offset by POST': ['tusOverride for the offset'],
  'append to a stored one': ['tusPatch', 'tusOverride PATCH', 'resumableAppend'],
  'remove files': ['removeFile', 'cancelStream'],
  'cancel a stored one': ['tusDelete', 'tusOverride DELETE', 'resumableCancel'],
  'change it': ['changeUpload'],
  'remove it': ['removeUpload'],
}

const ofUploads = new Set(Object.values(uploadGroups).flat())

/** Requests that share a line of the table. */
const groups: Readonly<Record<string, readonly string[]>> = {
  ...uploadGroups,
  'the service': throughChains('empty', 'standard').filter((label) => !ofUploads.has(label)),
  accounts: throughChains('auth', 'authenticated', 'admin'),
}

/** The requests of a line. */
export const requestsOf = (line: string): readonly string[] => groups[line] ?? [line]
