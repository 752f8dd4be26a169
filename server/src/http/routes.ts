import { endpoints, type Endpoint, type EndpointName } from '@svc/contract'
import type { Handler } from './chain.ts'
import * as chains from './chains.ts'
import * as downloads from './handlers/downloads.ts'
import * as files from './handlers/files.ts'
import * as service from './handlers/service.ts'
import * as uploads from './handlers/uploads.ts'

export interface Route {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  readonly handle: Handler
  /** `bytes`: the handler reads the body itself. */
  readonly body: 'json' | 'bytes'
  readonly errors: 'json' | 'text'
}

const json = (name: EndpointName, handle: Handler): Route => ({
  name,
  endpoint: endpoints[name],
  handle,
  body: 'json',
  errors: 'json',
})
const bytes = (name: EndpointName, handle: Handler): Route => ({ ...json(name, handle), body: 'bytes' })
const terminal = (name: EndpointName, handle: Handler): Route => ({ ...bytes(name, handle), errors: 'text' })

const { standard, uploading, reading, adding, addingDeclared, removingUpload, removingFile } = chains
const { archiveDownload, fileDownload } = chains

/** Every route that this server answers, each with its chain: who may do what is read here. */
export const routes: readonly Route[] = [
  json('health', chains.empty.to(service.health)),
  json('getConfiguration', standard.to(service.getConfiguration)),
  json('getVersion', standard.to(service.getVersion)),
  json('getQrCode', standard.to(service.getQrCode)),

  terminal('quickUpload', uploading.to(uploads.quickUpload)),
  terminal('quickUploadRaw', uploading.to(uploads.quickUploadRaw)),
  json('createUpload', uploading.to(uploads.createUpload)),
  json('getUpload', reading.to(uploads.getUpload)),
  json('removeUpload', removingUpload.to(uploads.removeUpload)),

  bytes('addFile', adding.to(files.addFile)),
  bytes('addDeclaredFile', addingDeclared.to(files.addDeclaredFile)),
  json('removeFile', removingFile.to(files.removeFile)),
  json('downloadFile', fileDownload.to(downloads.downloadFile)),
  json('downloadArchive', archiveDownload.to(downloads.downloadArchive)),
]

/** Answered before anything is loaded (specification §4, download rule 7). */
export const preflight = standard.to(downloads.preflight)
