import type { EmailConfirmation, NotificationSettingsUpdate } from '@svc/contract'
import {
  confirmEmail,
  describeSettings,
  sendConfirmation,
  updateSettings,
} from '../../../core/notifications/settings.ts'
import type { UserRecord } from '../../../domain/records.ts'
import { plainText } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'

type MyContext = RequestContext & { readonly user: UserRecord }

export const getMyNotifications = ({ service, user }: MyContext) => describeSettings(service, user)

export const updateMyNotifications = ({ service, request, user }: MyContext) =>
  updateSettings(service, user, request.body as NotificationSettingsUpdate)

export async function sendMyEmailConfirmation({ service, request, reply, user }: MyContext) {
  await sendConfirmation(service, user, request.headers['accept-language'] ?? '')
  return plainText(reply, 'ok')
}

export const confirmMyEmail = ({ service, request, user }: MyContext) =>
  confirmEmail(service, user, (request.body as EmailConfirmation).code)
