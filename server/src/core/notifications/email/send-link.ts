import { pagePath } from '@svc/contract'
import type { Clock } from '../../../domain/clock.ts'
import { downloadLimit } from '../../../domain/limits/download-limit.ts'
import { hasEnded } from '../../../domain/limits/lifetime.ts'
import type { DeliveryRecord, NotificationSettingsRecord } from '../../../domain/notification-records.ts'
import type { UploadRecord, UserRecord } from '../../../domain/records.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { isAddress } from '../../../outgoing/mail-address.ts'
import type { Mailer } from '../../../outgoing/mailer.ts'
import { givenUp, type Outcome } from '../../../outgoing/outcome.ts'
import type { FileNames } from './compose.ts'
import { composeLink } from './compose-link.ts'
import { shortenName } from './shorten-name.ts'

/** The payload of a message with the link of an upload, until its last attempt has ended. */
export interface LinkMailPayload {
  readonly uploadID: string
  readonly to: string
  /** Empty for none. */
  readonly message: string
  /** A language with texts. */
  readonly language: string
}

export interface LinkSender {
  readonly mailer: Mailer
  readonly store: MetadataStore
  readonly clock: Clock
  /** Address of the web application. */
  readonly serviceURL: string
  /** Whether accounts send links: messages that still wait when this was turned off are given up. */
  readonly isEnabled: boolean
}

/** Sends a message with the link of an upload, which describes the upload as it is now. */
export async function sendLink(
  { mailer, store, clock, serviceURL, isEnabled }: LinkSender,
  { id, payload }: Pick<DeliveryRecord, 'id' | 'payload'>,
  user: UserRecord,
  settings: NotificationSettingsRecord,
): Promise<Outcome> {
  if (!isEnabled) return givenUp('this server sends no links by email')
  const { uploadID, to, message, language } = JSON.parse(payload) as LinkMailPayload
  const upload = await store.uploads.find(uploadID)
  if (upload === undefined || hasEnded(upload, clock.now())) return givenUp('the upload was removed')
  const content = composeLink(
    {
      ...(await contentOf(store, upload)),
      sender: shortenName(senderName(user)),
      message,
      url: serviceURL.replace(/\/$/, '') + pagePath(upload.id),
      expireAt: upload.expireAt === null ? null : new Date(upload.expireAt).toISOString(),
      maxDownloads: downloadLimit(upload),
      hasPassword: upload.passwordHash !== null,
    },
    { language, serviceURL },
  )
  const isConfirmed = settings.verifiedEmail === user.email && isAddress(user.email)
  return mailer.send({ id, to, language, ...content, ...(isConfirmed && { replyTo: user.email }) })
}

const senderName = ({ name, login }: UserRecord): string => (name.trim() === '' ? login : name)

async function contentOf(store: MetadataStore, upload: UploadRecord) {
  // The files of a stream arrive while they are downloaded.
  if (upload.stream === 1)
    return { count: (await store.files.countArrivals(upload.id)).pending, size: null, names: null }
  const { files: count, size } = await store.files.countStored(upload.id)
  return { count, size, names: await namesOf(store, upload, count) }
}

/** Only who knows the password of an upload sees the names of its files. */
async function namesOf(
  store: MetadataStore,
  { id, passwordHash, e2ee }: UploadRecord,
  count: number,
): Promise<FileNames | null> {
  if (passwordHash !== null || e2ee !== '') return null
  const first = (await store.files.first(id)).find(
    ({ status, fileName }) => status === 'uploaded' && fileName !== '',
  )
  return first === undefined ? null : { first: shortenName(first.fileName), count }
}
