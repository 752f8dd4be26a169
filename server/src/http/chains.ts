import { baseChain } from './steps/chain.ts'
import { blockBots, refuseServiceWorkers } from './steps/guard-download.ts'
import { identify, identifyOrGuest, identifyWithToken, identifyWithTokenOrGuest } from './steps/identify.ts'
import { impersonate } from './steps/impersonate.ts'
import { loadFileStep, loadUploadStep } from './steps/load-upload.ts'
import {
  authorizeRequestTo,
  authorizeSenderStep,
  loadRequestStep,
  requireRequestsFor,
} from './steps/load-request.ts'
import { budgetKey } from './steps/budget-key.ts'
import { authorizeTo, authorizeToCreate } from './steps/authorize.ts'
import { readCredentials } from './steps/read-credentials.ts'
import { refuseCrossSite, refuseLinks } from './steps/refuse-cross-site.ts'
import { requireRowSpace } from './steps/row-space.ts'
import { requireLinkMail } from '../core/notifications/mail-link.ts'
import {
  refuseImpersonation,
  refuseMailAsAnother,
  requireEventsAllowed,
  requireAccounts,
  requireAdmin,
  requireExpectedUser,
  requireUser,
} from './steps/require-user.ts'
import { sourceAddress } from './steps/source-address.ts'
import { checkUploaderAddress } from './steps/uploader-address.ts'
import { checkVersion } from './resumable/tus-protocol.ts'

/**
 * The middleware chains (docs/protocol.md#request-handling). The error handler responds to errors of steps and
 * handlers. `logRequests` logs every request, including those without a chain.
 */
export const empty = baseChain

export const standard = empty.use(sourceAddress).use(refuseCrossSite).as('standard')

/** Anyone; identifies the user if there is a session. */
export const withPrincipal = standard.use(identifyOrGuest)

export const auth = standard.as('auth').use(requireAccounts).use(identifyOrGuest).use(impersonate)
export const loggingOut = standard.as('auth').use(requireAccounts).use(refuseLinks).use(identifyOrGuest)
export const authenticated = standard
  .as('authenticated')
  .use(requireAccounts)
  .use(identify)
  .use(impersonate)
  .use(requireUser)
  .use(requireExpectedUser)
/** Sessions and tokens belong to the user alone: an admin cannot access them by impersonation. */
export const withoutImpersonation = authenticated.use(refuseImpersonation)
export const admin = standard
  .as('admin')
  .use(requireAccounts)
  .use(identify)
  .use(requireUser)
  .use(requireAdmin)

export const token = standard.as('token').use(identifyWithToken).use(impersonate).use(readCredentials)

/** Requests that create or fill an upload, except those of tus, which check its version first. */
export const uploading = token.use(checkUploaderAddress).use(budgetKey)
export const creating = uploading.use(authorizeToCreate)
export const creatingUpload = creating.use(requireExpectedUser)

/** The events of the user, also for programs with a token. */
export const listening = standard
  .as('token')
  .use(requireAccounts)
  .use(identifyWithToken)
  .use(impersonate)
  .use(requireUser)
  .use(requireEventsAllowed)

const upload = token.use(loadUploadStep)

/** Endpoints that guests can read. */
const open = standard.as('token').use(identifyWithTokenOrGuest).use(impersonate).use(readCredentials)

export const reading = open.use(loadUploadStep).use(authorizeTo('read'))
export const adding = uploading.use(loadUploadStep).use(authorizeTo('add files'))
export const addingDeclared = adding.use(loadFileStep)
/** Requests with another version of tus fail before any other check. */
export const addingParts = standard
  .as('token')
  .use(checkVersion)
  .use(identifyWithToken)
  .use(impersonate)
  .use(readCredentials)
  .use(checkUploaderAddress)
  .use(budgetKey)
  .use(loadUploadStep)
  .use(authorizeTo('add files'))
export const seeingDownloads = upload.use(authorizeTo('see the downloads'))
export const changingUpload = upload.use(authorizeTo('change the upload')).use(budgetKey)
export const mailingLink = token
  .use(({ service }) => ({ linkMail: requireLinkMail(service) }))
  .use(loadUploadStep)
  .use(authorizeTo('send the link by email'))
  .use(requireUser)
  .use(refuseMailAsAnother)
  .use(requireRowSpace)
export const removingUpload = upload.use(authorizeTo('remove the upload'))
export const removingFile = upload.use(authorizeTo('remove files')).use(loadFileStep)

/** Requests of HTTP about upload requests: of their owners, and of senders. */
export const creatingRequest = uploading
  .use(requireRequestsFor('create upload requests'))
  .use(requireExpectedUser)
export const listingRequests = token.use(requireRequestsFor('see the upload request'))
const ofRequest = token.use(loadRequestStep)
export const seeingRequest = ofRequest.use(authorizeRequestTo('see the upload request'))
export const changingRequest = ofRequest.use(authorizeRequestTo('change the upload request')).use(budgetKey)
export const removingRequest = ofRequest.use(authorizeRequestTo('remove the upload request'))
export const openRequest = open.use(loadRequestStep).use(authorizeSenderStep)
export const sendingToRequest = creating.use(loadRequestStep).use(authorizeSenderStep)

/** Downloads of an upload. Those of files find the file themselves, by its id or its name. */
export const download = open
  .use(refuseServiceWorkers)
  .use(loadUploadStep)
  .use(blockBots)
  .use(authorizeTo('read'))

export const fileDownload = download.use(loadFileStep)
