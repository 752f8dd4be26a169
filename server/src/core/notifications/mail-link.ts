import { chooseLanguage, type LinkMail, type LinkMailResult } from '@svc/contract'
import { featureDisabled, invalidRequest, ServiceError } from '../../domain/errors.ts'
import { randomId } from '../../domain/ids.ts'
import { linkMailEvent, type DeliveryRecord } from '../../domain/notification-records.ts'
import type { UploadRecord, UserRecord } from '../../domain/records.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import { isPublicAddress } from '../../outgoing/mail-address.ts'
import { countAttempt, counterKey } from '../accounts/throttle.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import type { Service } from '../service.ts'
import { hasTexts, mailLanguages } from './email/mail-texts.ts'
import type { LinkMailPayload } from './email/send-link.ts'
import { idOfOnce } from './events/event.ts'
import { emptyMessage } from './events/publish.ts'

/** The time within which an account has a limited number of addresses, in ms. */
const windowMs = 24 * 3_600_000

/** A part of hashes in stored rows: it never changes. */
const storedName = 'links by e-mail'

type Parts = Pick<Service, 'clock' | 'config' | 'notifications' | 'random' | 'store'>

const keyRequired = () =>
  new ServiceError(
    'key_required',
    'the files are end-to-end encrypted, and this server does not have their key: copy the link with its key, and send it yourself',
  )
const uploadEmpty = () =>
  new ServiceError('missing_file', 'the upload has no files yet: send its link when they have arrived')
const budgetReached = (max: number) => (seconds: number) =>
  new ServiceError(
    'mail_limit_reached',
    `your account can send links to ${String(max)} addresses within a day: try again in ${String(seconds)} seconds`,
    { headers: { 'retry-after': String(seconds) } },
  )

/** @throws ServiceError `feature_disabled` */
export function requireLinkMail({ config }: Pick<Service, 'config'>): { readonly addressesPerDay: number } {
  const { linkMail } = config.notifications
  if (linkMail === null) throw featureDisabled('sending links by email')
  return linkMail
}

/**
 * Adds messages with the link of an upload to the outbox, one for each address.
 * @throws ServiceError `feature_disabled`, `invalid_request`, `key_required`, `missing_file`, `mail_limit_reached`,
 * `invalid_session` when the user is deleted
 */
export async function mailLink(
  service: Parts,
  user: UserRecord,
  upload: UploadRecord,
  { addresses: texts, message = '', language }: LinkMail,
): Promise<LinkMailResult> {
  const { addressesPerDay: max } = requireLinkMail(service)
  const addresses = uniqueAddresses(texts)
  requireStorable('message', message)
  if (language !== undefined && !hasTexts(language))
    throw invalidRequest('language must be one of those that the web application has')
  await requireReadable(service, upload)
  const settings = await service.store.notificationSettings.find(user.id)
  const payload = {
    uploadID: upload.id,
    message,
    language: chooseLanguage([language ?? '', user.language, settings.language], mailLanguages),
  }
  const limit = { max, windowMs, amount: addresses.length, refusal: budgetReached(max) }
  await countAttempt(service, counterKey(storedName, user.id), limit)
  const rows = addresses.map((to) => messageOf(service, user.id, { ...payload, to }))
  await writeForUser(service, user.id, () => service.store.transaction(({ outbox }) => outbox.add(rows)))
  service.notifications.outbox.wake()
  return { accepted: rows.length }
}

/** @throws ServiceError `invalid_request` */
function uniqueAddresses(texts: readonly string[]): readonly string[] {
  const addresses = new Map(texts.map((address) => [address.trim().toLowerCase(), address.trim()]))
  for (const address of addresses.values())
    if (!isPublicAddress(address))
      // Without the address: logs may have the message.
      throw invalidRequest('addresses must be email addresses such as ada@mail.example, without names')
  return [...addresses.values()]
}

/**
 * Refuses uploads that the link alone does not open.
 * @throws ServiceError `invalid_request`, `key_required`, `missing_file`
 */
async function requireReadable({ store }: Pick<Service, 'store'>, upload: UploadRecord): Promise<void> {
  if (upload.requestId !== null)
    throw invalidRequest('only its owner can open an upload that an upload request has received')
  if (upload.e2ee !== '') throw keyRequired()
  const { files } = await store.files.countStored(upload.id)
  if (files > 0) return
  const { pending } = await store.files.countArrivals(upload.id)
  if (upload.stream === 0 || pending === 0) throw uploadEmpty()
}

const messageOf = (
  { clock, random }: Pick<Service, 'clock' | 'random'>,
  userId: string,
  payload: LinkMailPayload,
): DeliveryRecord => ({
  ...emptyMessage(clock.now()),
  id: randomId(random),
  userId,
  channel: 'email',
  target: idOfOnce(userId, storedName),
  event: linkMailEvent,
  payload: JSON.stringify(payload),
})
