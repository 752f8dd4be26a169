import type { ChainName } from '@svc/contract'
import { requestBuilders, routeOf } from './requests.ts'

const throughChains = (...chains: readonly ChainName[]): string[] =>
  Object.keys(requestBuilders).filter((label) => chains.includes(routeOf(label).endpoint.chain))

/** Requests that share a line of the table. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'new upload': ['createUpload', 'quickUpload', 'quickUploadRaw'],
  preflight: ['downloadFile OPTIONS', 'downloadStream OPTIONS', 'downloadArchive OPTIONS'],
  'see it': [
    'getUpload',
    'downloadFile',
    'downloadFile HEAD',
    'downloadStream',
    'downloadStream HEAD',
    'downloadArchive',
    'downloadArchive HEAD',
  ],
  'add to it': ['addFile', 'addDeclaredFile', 'sendStream'],
  'remove files': ['removeFile', 'cancelStream'],
  'cancel a stored one': ['tusDelete', 'tusOverride DELETE', 'resumableCancel'],
  'remove it': ['removeUpload'],
  'the service': throughChains('empty', 'standard'),
  accounts: throughChains('auth', 'authenticated', 'admin'),
}

/** The requests of a line. */
export const requestsOf = (line: string): readonly string[] => groups[line] ?? [line]
