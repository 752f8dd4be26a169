import { chooseLanguage, type EventBody } from '@svc/contract'
import type { EmailConfirmations } from '../../../auth/email-confirmation.ts'
import {
  linkMailEvent,
  type DeliveryRecord,
  type NotificationSettingsRecord,
} from '../../../domain/notification-records.ts'
import type { FileRecord, UserRecord } from '../../../domain/records.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { isAddress } from '../../../outgoing/mail-address.ts'
import { givenUp, type Outcome } from '../../../outgoing/outcome.ts'
import { composeConfirmation, composeEvent, type EventSubject } from './compose.ts'
import type { MailContent } from './layout.ts'
import { mailLanguages } from './mail-texts.ts'
import { sendLink, type LinkSender } from './send-link.ts'
import { shortenName } from './shorten-name.ts'

export interface EmailSender extends LinkSender {
  readonly confirmations: EmailConfirmations
  /** The event of the message that confirms an address. */
  readonly confirmationEvent: string
}

/** Sends messages of the outbox by email: events to the confirmed address of the account only, links of uploads to others. */
export function emailSender(sender: EmailSender): (message: DeliveryRecord) => Promise<Outcome> {
  const { mailer, store, confirmations, serviceURL, confirmationEvent } = sender
  const contentOf = async (message: DeliveryRecord, user: UserRecord, language: string) => {
    const setting = { language, serviceURL }
    if (message.event === confirmationEvent)
      return composeConfirmation(confirmations.issue(user.id, user.email), setting)
    const body = JSON.parse(message.payload) as EventBody
    return composeEvent(body, await describe(store, body), setting)
  }
  return async (message) => {
    const user = await store.users.find(message.userId ?? '')
    if (user === undefined) return givenUp('the account was removed')
    const settings = await store.notificationSettings.find(user.id)
    if (message.event === linkMailEvent) return sendLink(sender, message, user, settings)
    // The user has changed the address since it was confirmed.
    const isConfirmed = settings.verifiedEmail === user.email || message.event === confirmationEvent
    if (!isConfirmed || !isAddress(user.email)) return givenUp('the address is not confirmed')
    const language = languageOf(user, settings)
    const content: MailContent = await contentOf(message, user, language)
    return mailer.send({ id: message.id, to: user.email, language, ...content })
  }
}

/** The language of the profile, or else the one of the browser that confirmed the address. */
export const languageOf = (
  { language }: Pick<UserRecord, 'language'>,
  settings: Pick<NotificationSettingsRecord, 'language'>,
): string => chooseLanguage([language, settings.language], mailLanguages)

async function describe(store: MetadataStore, body: EventBody): Promise<EventSubject> {
  switch (body.type) {
    case 'limits.near':
      return { files: null, title: null }
    case 'request.received': {
      const request = await store.requests.find(body.data.requestID)
      const stored = (await store.files.first(body.data.uploadID)).filter(
        ({ status }) => status === 'uploaded',
      )
      const names = await namesOf(store, body.data.uploadID, stored)
      return { files: names && { ...names, count: body.data.files }, title: request?.title ?? null }
    }
    case 'upload.first_download':
    case 'upload.downloaded':
    case 'upload.expiring': {
      const { uploadID, fileID } = body.data
      const file = fileID === undefined ? undefined : await store.files.find(uploadID, fileID)
      const files =
        fileID === undefined ? await store.files.first(uploadID) : file === undefined ? [] : [file]
      return { files: await namesOf(store, uploadID, files), title: null }
    }
  }
}

/** The names of files of an upload; null if they are gone, or encrypted, as those of an encrypted upload request are. */
async function namesOf(
  store: MetadataStore,
  uploadId: string,
  files: readonly FileRecord[],
): Promise<EventSubject['files']> {
  const named = files.filter((file) => file.fileName !== '')
  const [first] = named
  const upload = await store.uploads.find(uploadId)
  const isEncrypted = upload === undefined || (upload.requestId !== null && upload.e2ee !== '')
  return first === undefined || isEncrypted
    ? null
    : { first: shortenName(first.fileName), count: named.length }
}
