/** Checks records as the API checks what users send, by the same functions. */
import { limits, UploadRequestUpdate, type PasskeyIdentity } from '@svc/contract'
import { Value } from 'typebox/value'
import { requireLogin, requireUserText } from '../core/accounts/user-texts.ts'
import { webhookURL } from '../core/notifications/webhook-url.ts'
import {
  parseExtension,
  passkeyIdentitiesIn,
  requireMessageText,
  requireStoredRecipient,
  requireTitle,
  wrappedIdentityIn,
} from '../core/requests/request-texts.ts'
import { invalidRequest, ServiceError } from '../domain/errors.ts'
import type { NotificationSettingsRecord, WebhookRecord } from '../domain/notification-records.ts'
import type { RequestRecord, UserRecord } from '../domain/records.ts'
import { requireStorable } from '../domain/text/storable-text.ts'
import { isAddress } from '../outgoing/mail-address.ts'

/** @returns the problem as the rest of a sentence, or null */
function problemOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

export const problemInUser = ({
  provider,
  login,
  name,
  email,
}: Pick<UserRecord, 'email' | 'login' | 'name' | 'provider'>): string | null =>
  problemOf(() => {
    requireLogin(login)
    requireUserText('name', name)
    requireUserText('email', email)
  }) ??
  (provider === 'local' && Array.from(login).length > limits.userLoginLength ? 'login is too long' : null)

export const problemInRequest = ({
  title,
  message,
  extensions,
  recipient,
  wrappedIdentity,
  passkeyIdentities,
}: Pick<RequestRecord, 'extensions' | 'message' | 'recipient' | 'title'> & {
  readonly wrappedIdentity?: string | null
  readonly passkeyIdentities?: string | null
}): string | null =>
  problemOf(() => {
    requireTitle(title)
    requireMessageText(message)
    if (extensions !== '') for (const extension of extensions.split(' ')) parseExtension(extension)
    if (recipient !== '') requireStoredRecipient(recipient)
    wrappedIdentityIn(wrappedIdentity ?? '')
    if (typeof passkeyIdentities === 'string') passkeyIdentitiesIn(passkeysOf(passkeyIdentities))
  })

function passkeysOf(json: string): readonly PasskeyIdentity[] {
  try {
    const parsed: unknown = JSON.parse(json)
    if (Value.Check(UploadRequestUpdate.properties.passkeyIdentities, parsed)) return parsed
  } catch {
    // Not JSON.
  }
  throw invalidRequest('passkeyIdentities must be a list of passkeys in JSON')
}

export function problemInWebhook({
  url,
  events,
  description,
  previousSecret,
  previousUntil,
}: Omit<WebhookRecord, 'enabled'>): string | null {
  if ((previousSecret === null) !== (previousUntil === null))
    return 'previousSecret and previousUntil must both be set or both be null'
  if (events === '') return 'events must not be empty'
  return (
    repetitionIn('events', events) ??
    problemOf(() => {
      requireStorable('description', description)
      webhookURL(url)
    })
  )
}

export function problemInSettings({
  emailEvents,
  verifiedEmail,
}: Pick<NotificationSettingsRecord, 'emailEvents' | 'verifiedEmail'>): string | null {
  if (verifiedEmail !== null && !isAddress(verifiedEmail)) return 'verifiedEmail is not an email address'
  return repetitionIn('emailEvents', emailEvents)
}

function repetitionIn(name: string, events: string): string | null {
  const kinds = events.split(' ')
  return new Set(kinds).size === kinds.length ? null : `${name} has an event twice`
}
