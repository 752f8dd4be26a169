import {
  endpoints,
  keyOf,
  type Endpoint,
  type EndpointAt,
  type EndpointKey,
  type EndpointName,
} from '@svc/contract'
import { externalProviders, type ExternalProvider } from '../auth/providers/open-providers.ts'
import type { Chained, Handler } from './steps/chain.ts'
import * as chains from './chains.ts'
import * as activity from './handlers/activity.ts'
import * as auth from './handlers/account/auth.ts'
import * as downloads from './handlers/downloads.ts'
import { streamMyEvents } from './handlers/account/events.ts'
import { streamUploadEvents } from './handlers/upload-events.ts'
import * as files from './handlers/files.ts'
import { previewLink } from './handlers/link-preview.ts'
import * as lists from './handlers/lists.ts'
import { mailLink } from './handlers/mail.ts'
import * as me from './handlers/account/me.ts'
import * as previews from './handlers/previews.ts'
import * as requests from './handlers/requests.ts'
import * as notifications from './handlers/account/notifications.ts'
import * as push from './handlers/account/push.ts'
import * as resumable from './handlers/resumable.ts'
import * as service from './handlers/service.ts'
import * as tus from './handlers/tus.ts'
import * as uploads from './handlers/uploads.ts'
import * as users from './handlers/account/users.ts'
import * as webhooks from './handlers/account/webhooks.ts'
import { cancelPart } from './resumable/part-request.ts'
import { budgetKey } from './steps/budget-key.ts'
import { requireLoginSpace, requireRowSpace } from './steps/row-space.ts'

export interface Route {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  readonly handle: Handler
  /** `bytes`: the handler reads the body itself. */
  readonly body: 'json' | 'bytes'
}

/** The implementation of an endpoint, with the chain that the contract names. */
type RouteEntry<Name extends Endpoint['chain']> = Chained<Name> & Pick<Route, 'body'>

const json = <Name extends Endpoint['chain']>(chained: Chained<Name>): RouteEntry<Name> => ({
  ...chained,
  body: 'json',
})
const bytes = <Name extends Endpoint['chain']>(chained: Chained<Name>): RouteEntry<Name> => ({
  ...chained,
  body: 'bytes',
})

const { standard, authenticated, withoutImpersonation, admin } = chains
const { creating, reading, adding, addingDeclared, addingParts, removingUpload, removingFile } = chains
const { download, fileDownload } = chains

/** An entry, or a function that returns one for each identity provider. */
type RouteEntries<Name extends Endpoint['chain']> =
  RouteEntry<Name> | ((provider: ExternalProvider) => RouteEntry<Name>)

/**
 * Every endpoint of the contract with its handler, and the chain of steps before it. A missing endpoint,
 * or another chain than that of the contract, does not compile.
 */
const table: { readonly [K in EndpointKey]: RouteEntries<EndpointAt<K>['chain']> } = {
  'GET /health': json(chains.empty.to(service.health)),
  'GET /ready': json(chains.empty.to(service.ready)),
  'GET /config': json(standard.to(service.getConfiguration)),
  'GET /version': json(chains.withPrincipal.to(service.getVersion)),
  'GET /qrcode': json(standard.use(budgetKey).to(service.getQrCode)),
  'GET /clients/sharex.sxcu': json(standard.to(service.getShareX)),

  'POST /': bytes(creating.to(uploads.quickUpload)),
  'PUT /{filename}': bytes(creating.to(uploads.quickUploadRaw)),
  'POST /upload': json(chains.creatingUpload.to(uploads.createUpload)),
  'GET /upload/{uploadID}': json(reading.to(uploads.getUpload)),
  'PATCH /upload/{uploadID}': json(chains.changingUpload.to(uploads.changeUpload)),
  'GET /upload/{uploadID}/activity': json(chains.seeingDownloads.to(activity.listDownloads)),
  'POST /upload/{uploadID}/mail': json(chains.mailingLink.to(mailLink)),
  'GET /s/{uploadID}': json(standard.to(previewLink)),
  'DELETE /upload/{uploadID}': json(removingUpload.to(uploads.removeUpload)),
  'GET /uploads/events': json(standard.use(budgetKey).to(streamUploadEvents)),

  'POST /file/{uploadID}': bytes(adding.to(files.addFile)),
  'POST /file/{uploadID}/{fileID}/{filename}': bytes(addingDeclared.to(files.addDeclaredFile)),
  'DELETE /file/{uploadID}/{fileID}/{filename}': json(removingFile.to(files.removeFile)),
  'GET /file/{uploadID}/{fileID}/{filename}': json(download.to(downloads.downloadFile)),
  'GET /file/{uploadID}/{filename}': json(download.to(downloads.browseFiles)),
  'POST /stream/{uploadID}/{fileID}/{filename}': bytes(addingDeclared.to(files.addDeclaredFile)),
  'DELETE /stream/{uploadID}/{fileID}/{filename}': json(removingFile.to(files.removeFile)),
  'GET /stream/{uploadID}/{fileID}/{filename}': json(fileDownload.to(downloads.sendFile)),
  'PUT /preview/{uploadID}/{fileID}/{filename}': bytes(addingDeclared.to(previews.putPreview)),
  'GET /preview/{uploadID}/{fileID}/{filename}': json(fileDownload.to(previews.getPreview)),
  'GET /archive/{uploadID}/{filename}': json(download.to(downloads.downloadArchive)),

  'OPTIONS /tus/{uploadID}': json(standard.to(tus.tusOptions)),
  'POST /tus/{uploadID}': bytes(addingParts.to(tus.tusCreate)),
  'HEAD /tus/{uploadID}/{fileID}': json(addingParts.to(tus.tusHead)),
  'PATCH /tus/{uploadID}/{fileID}': bytes(addingParts.to(tus.tusPatch)),
  'DELETE /tus/{uploadID}/{fileID}': json(addingParts.to(cancelPart)),
  'POST /tus/{uploadID}/{fileID}': bytes(addingParts.to(tus.tusOverride)),

  'OPTIONS /resumable/{uploadID}': json(standard.to(resumable.resumableOptions)),
  'POST /resumable/{uploadID}': bytes(adding.to(resumable.resumableCreate)),
  'HEAD /resumable/{uploadID}/{fileID}': json(adding.to(resumable.resumableHead)),
  'PATCH /resumable/{uploadID}/{fileID}': bytes(adding.to(resumable.resumableAppend)),
  'DELETE /resumable/{uploadID}/{fileID}': bytes(adding.to(cancelPart)),

  'POST /requests': json(chains.creatingRequest.to(requests.createRequest)),
  'GET /requests': json(chains.listingRequests.to(requests.listRequests)),
  'GET /requests/{requestID}': json(chains.seeingRequest.to(requests.getRequest)),
  'PATCH /requests/{requestID}': json(chains.changingRequest.to(requests.updateRequest)),
  'DELETE /requests/{requestID}': json(chains.removingRequest.to(requests.removeRequest)),
  'GET /requests/{requestID}/uploads': json(chains.seeingRequest.to(requests.listRequestUploads)),
  'GET /request/{requestID}': json(chains.openRequest.to(requests.showRequest)),
  'POST /request/{requestID}/upload': json(chains.sendingToRequest.to(requests.sendToRequest)),

  'POST /auth/local/login': json(chains.auth.use(requireLoginSpace).to(auth.localLogin)),
  'GET /auth/logout': json(chains.loggingOut.to(auth.logout)),
  'GET /auth/{provider}/login': (provider) => json(chains.auth.to(auth.providerLogin(provider))),
  'GET /auth/{provider}/callback': (provider) => json(chains.auth.to(auth.providerCallback(provider))),
  'POST /auth/cli/init': json(chains.auth.use(budgetKey).use(requireRowSpace).to(auth.startCommandLineLogin)),
  'POST /auth/cli/describe': json(withoutImpersonation.to(auth.describeCommandLineLogin)),
  'POST /auth/cli/approve': json(withoutImpersonation.to(auth.approveCommandLineLogin)),
  'POST /auth/cli/poll': json(chains.auth.to(auth.pollCommandLineLogin)),

  'GET /me': json(authenticated.to(me.getMe)),
  'PATCH /me': json(authenticated.to(me.updateMe)),
  'DELETE /me': json(authenticated.to(me.removeMe)),
  'GET /me/sessions': json(withoutImpersonation.to(me.listMySessions)),
  'DELETE /me/sessions/{sessionID}': json(withoutImpersonation.to(me.revokeMySession)),
  'GET /me/token': json(withoutImpersonation.to(me.listMyTokens)),
  'POST /me/token': json(withoutImpersonation.use(requireRowSpace).to(me.createMyToken)),
  'DELETE /me/token/{token}': json(withoutImpersonation.to(me.revokeMyToken)),
  'GET /me/uploads': json(authenticated.to(lists.listMyUploads)),
  'DELETE /me/uploads': json(authenticated.to(me.removeMyUploads)),
  'GET /me/stats': json(authenticated.to(me.getMyStats)),

  'GET /me/events': json(chains.listening.to(streamMyEvents)),
  'GET /me/notifications': json(withoutImpersonation.to(notifications.getMyNotifications)),
  'PATCH /me/notifications': json(withoutImpersonation.to(notifications.updateMyNotifications)),
  'POST /me/notifications/email': json(
    withoutImpersonation.use(requireRowSpace).to(notifications.sendMyEmailConfirmation),
  ),
  'POST /me/notifications/email/confirm': json(withoutImpersonation.to(notifications.confirmMyEmail)),
  'GET /me/push': json(withoutImpersonation.to(push.getMyPush)),
  'POST /me/push': json(withoutImpersonation.use(requireRowSpace).to(push.putMyPush)),
  'DELETE /me/push/{pushID}': json(withoutImpersonation.to(push.removeMyPush)),
  'GET /me/webhooks': json(withoutImpersonation.to(webhooks.listMyWebhooks)),
  'POST /me/webhooks': json(withoutImpersonation.use(requireRowSpace).to(webhooks.createMyWebhook)),
  'PATCH /me/webhooks/{webhookID}': json(withoutImpersonation.to(webhooks.updateMyWebhook)),
  'DELETE /me/webhooks/{webhookID}': json(withoutImpersonation.to(webhooks.removeMyWebhook)),
  'POST /me/webhooks/{webhookID}/secret': json(withoutImpersonation.to(webhooks.rotateMyWebhookSecret)),
  'GET /me/webhooks/{webhookID}/deliveries': json(withoutImpersonation.to(webhooks.listMyDeliveries)),
  'POST /me/webhooks/{webhookID}/deliveries/{deliveryID}/replay': json(
    withoutImpersonation.to(webhooks.replayMyDelivery),
  ),

  // Admins can access all users, others only themselves.
  'GET /user/{userID}': json(authenticated.to(users.getUser)),
  'POST /user/{userID}': json(authenticated.to(users.updateUser)),
  'DELETE /user/{userID}': json(authenticated.to(users.removeUser)),

  'POST /user': json(admin.use(requireRowSpace).to(users.createUser)),
  'GET /users': json(admin.to(users.listUsers)),
  'GET /users/search': json(admin.to(users.searchUsers)),
  'GET /uploads': json(admin.to(lists.listUploads)),
  'GET /stats': json(admin.to(users.getStats)),
  'GET /stats/daily': json(admin.to(users.getDailyStats)),
}

/** Every route of this server. */
export const routes: readonly Route[] = (
  Object.entries(endpoints) as readonly (readonly [EndpointName, Endpoint])[]
).flatMap(([name, endpoint]) => {
  const entry: RouteEntries<Endpoint['chain']> = table[keyOf(endpoint)]
  if (typeof entry !== 'function') return { name, endpoint, ...entry }
  return externalProviders.map((provider) => ({
    name,
    endpoint: { ...endpoint, path: endpoint.path.replace('{provider}', provider) },
    ...entry(provider),
  }))
})

/** CORS preflight of downloads, before anything is loaded (docs/protocol.md#downloading). */
export const preflight = standard.to(downloads.preflight).handle
