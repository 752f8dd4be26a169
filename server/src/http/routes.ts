import { endpoints, type Endpoint, type EndpointName } from '@svc/contract'
import { foreignProviders } from '../auth/providers/open-providers.ts'
import type { ErrorFormat } from './answer.ts'
import type { Handler } from './chain.ts'
import * as chains from './chains.ts'
import * as auth from './handlers/auth.ts'
import * as downloads from './handlers/downloads.ts'
import * as files from './handlers/files.ts'
import * as lists from './handlers/lists.ts'
import * as me from './handlers/me.ts'
import * as resumable from './handlers/resumable.ts'
import * as service from './handlers/service.ts'
import * as tus from './handlers/tus.ts'
import * as uploads from './handlers/uploads.ts'
import * as users from './handlers/users.ts'
import { payer } from './steps/payer.ts'
import { requireRowSpace } from './steps/row-space.ts'

export interface Route {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  readonly handle: Handler
  /** `bytes`: the handler reads the body itself. */
  readonly body: 'json' | 'bytes'
  readonly errors: ErrorFormat
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
const problems = (name: EndpointName, handle: Handler): Route => ({
  ...bytes(name, handle),
  errors: 'problem',
})

/** The same route at one provider. */
const of = (provider: string, route: Route): Route => ({
  ...route,
  endpoint: { ...route.endpoint, path: route.endpoint.path.replace('{provider}', provider) },
})

const { standard, authenticated, inPerson, admin } = chains
const { creating, reading, adding, addingDeclared, addingPieces, removingUpload, removingFile } = chains
const { archiveDownload, fileDownload } = chains

/** Every route that this server answers, each with its chain: who may do what is read here. */
export const routes: readonly Route[] = [
  json('health', chains.empty.to(service.health)),
  json('ready', chains.empty.to(service.ready)),
  json('getConfiguration', standard.to(service.getConfiguration)),
  json('getVersion', chains.visited.to(service.getVersion)),
  json('getQrCode', standard.use(payer).to(service.getQrCode)),
  json('getShareX', standard.to(service.getShareX)),

  terminal('quickUpload', creating.to(uploads.quickUpload)),
  terminal('quickUploadRaw', creating.to(uploads.quickUploadRaw)),
  json('createUpload', creating.to(uploads.createUpload)),
  json('getUpload', reading.to(uploads.getUpload)),
  json('removeUpload', removingUpload.to(uploads.removeUpload)),

  bytes('addFile', adding.to(files.addFile)),
  bytes('addDeclaredFile', addingDeclared.to(files.addDeclaredFile)),
  json('removeFile', removingFile.to(files.removeFile)),
  json('downloadFile', fileDownload.to(downloads.downloadFile)),
  bytes('sendStream', addingDeclared.to(files.addDeclaredFile)),
  json('cancelStream', removingFile.to(files.removeFile)),
  json('downloadStream', fileDownload.to(downloads.downloadFile)),
  json('downloadArchive', archiveDownload.to(downloads.downloadArchive)),

  json('tusOptions', standard.to(tus.tusOptions)),
  bytes('tusCreate', addingPieces.to(tus.tusCreate)),
  json('tusHead', addingPieces.to(tus.tusHead)),
  bytes('tusPatch', addingPieces.to(tus.tusPatch)),
  json('tusDelete', addingPieces.to(tus.tusDelete)),
  bytes('tusOverride', addingPieces.to(tus.tusOverride)),

  json('resumableOptions', standard.to(resumable.resumableOptions)),
  problems('resumableCreate', adding.to(resumable.resumableCreate)),
  json('resumableHead', adding.to(resumable.resumableHead)),
  problems('resumableAppend', adding.to(resumable.resumableAppend)),
  problems('resumableCancel', adding.to(resumable.resumableCancel)),

  json('localLogin', chains.auth.use(requireRowSpace).to(auth.localLogin)),
  json('logout', chains.leaving.to(auth.logout)),
  ...foreignProviders.flatMap((provider) => [
    of(provider, json('providerLogin', chains.auth.to(auth.providerLogin(provider)))),
    of(provider, json('providerCallback', chains.auth.to(auth.providerCallback(provider)))),
  ]),
  json('startCliLogin', chains.auth.use(payer).use(requireRowSpace).to(auth.startCommandLineLogin)),
  json('describeCliLogin', inPerson.to(auth.describeCommandLineLogin)),
  json('approveCliLogin', inPerson.to(auth.approveCommandLineLogin)),
  json('pollCliLogin', chains.auth.to(auth.pollCommandLineLogin)),

  json('getMe', authenticated.to(me.getMe)),
  json('updateMe', authenticated.to(me.updateMe)),
  json('removeMe', authenticated.to(me.removeMe)),
  json('listMySessions', inPerson.to(me.listMySessions)),
  json('revokeMySession', inPerson.to(me.revokeMySession)),
  json('listMyTokens', inPerson.to(me.listMyTokens)),
  json('createMyToken', inPerson.use(requireRowSpace).to(me.createMyToken)),
  json('revokeMyToken', inPerson.to(me.revokeMyToken)),
  json('listMyUploads', authenticated.to(lists.listMyUploads)),
  json('removeMyUploads', authenticated.to(me.removeMyUploads)),
  json('getMyStats', authenticated.to(me.getMyStats)),

  // Admins see and change all users, others themselves.
  json('getUser', authenticated.to(users.getUser)),
  json('updateUser', authenticated.to(users.updateUser)),
  json('removeUser', authenticated.to(users.removeUser)),

  json('createUser', admin.use(requireRowSpace).to(users.createUser)),
  json('listUsers', admin.to(users.listUsers)),
  json('searchUsers', admin.to(users.searchUsers)),
  json('listUploads', admin.to(lists.listUploads)),
  json('getStats', admin.to(users.getStats)),
  json('getDailyStats', admin.to(users.getDailyStats)),
]

/** Answered before anything is loaded (specification §4, download rule 7). */
export const preflight = standard.to(downloads.preflight)
