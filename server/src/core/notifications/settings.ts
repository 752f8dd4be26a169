import { chooseLanguage, type NotificationSettings, type NotificationSettingsUpdate } from '@svc/contract'
import { featureDisabled, invalidRequest } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { acceptedLanguages } from '../../domain/text/accept-language.ts'
import { isAddress } from '../../outgoing/mail-address.ts'
import { countAttempt, countAttempts, counterKey } from '../accounts/throttle.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import type { Service } from '../service.ts'
import { parseKinds, serializeKinds } from './events/event.ts'
import { mailLanguages } from './email/mail-texts.ts'
import { publishConfirmation } from './events/publish.ts'

type Parts = Pick<Service, 'clock' | 'config' | 'emailConfirmations' | 'notifications' | 'random' | 'store'>

/** The maximum number of confirmations that an account requests, and that an address gets, within an hour. */
const confirmations = { max: 3, windowMs: 3_600_000 }

/** The maximum number of attempts at a code of an account within an hour. */
const codeAttempts = { max: 10, windowMs: 3_600_000 }

export async function describeSettings(
  { store, config }: Pick<Parts, 'config' | 'store'>,
  user: UserRecord,
): Promise<NotificationSettings> {
  const { verifiedEmail, emailEvents } = await store.notificationSettings.find(user.id)
  return {
    email: {
      available: config.notifications.mail !== null,
      address: user.email,
      confirmed: verifiedEmail !== null && verifiedEmail === user.email,
      events: parseKinds(emailEvents),
    },
  }
}

/** @throws ServiceError `invalid_session` when the user is deleted */
export async function updateSettings(
  service: Parts,
  user: UserRecord,
  { email }: NotificationSettingsUpdate,
): Promise<NotificationSettings> {
  if (email?.events !== undefined) {
    const emailEvents = serializeKinds(email.events)
    await writeForUser(service, user.id, () =>
      service.store.notificationSettings.change(user.id, { emailEvents }),
    )
  }
  return describeSettings(service, user)
}

/**
 * Sends a code to the address of the profile.
 * @param acceptLanguage the languages of the browser, for users without one in their profile
 * @throws ServiceError `feature_disabled`, `invalid_request`, `too_many_attempts`
 */
export async function sendConfirmation(
  service: Parts,
  user: UserRecord,
  acceptLanguage: string,
): Promise<void> {
  const { config, clock, random, store, notifications } = service
  if (config.notifications.mail === null) throw featureDisabled('email')
  if (!isAddress(user.email)) throw invalidRequest('your profile has no valid email address')
  const language = chooseLanguage(acceptedLanguages(acceptLanguage), mailLanguages)
  // The address may be a stranger's, and the account one of many of its user.
  const subjects = [user.id, user.email.toLowerCase()]
  await countAttempts(
    service,
    subjects.map((subject) => ({ key: counterKey('email confirmation', subject), ...confirmations })),
  )
  await store.transaction(async (transaction) => {
    await transaction.notificationSettings.change(user.id, { language })
    await publishConfirmation(transaction, { userId: user.id, random, now: clock.now() })
  })
  notifications.outbox.wake()
}

/** @throws ServiceError `invalid_request` for a wrong or expired code, `too_many_attempts` */
export async function confirmEmail(
  service: Parts,
  user: UserRecord,
  code: string,
): Promise<NotificationSettings> {
  await countAttempt(service, counterKey('email code', user.id), codeAttempts)
  if (!service.emailConfirmations.verify(user.id, user.email, code))
    throw invalidRequest('the code is wrong or expired, or your address has changed: request another one')
  await writeForUser(service, user.id, () =>
    service.store.notificationSettings.change(user.id, { verifiedEmail: user.email }),
  )
  return describeSettings(service, user)
}
