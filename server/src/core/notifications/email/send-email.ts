import { type EventBody } from '@svc/contract'
import type { EmailConfirmations } from '../../../auth/email-confirmation.ts'
import type { DeliveryRecord, NotificationSettingsRecord } from '../../../domain/notification-records.ts'
import type { UserRecord } from '../../../domain/records.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { isAddress, type Mailer } from '../../../outgoing/mailer.ts'
import { givenUp, type Outcome } from '../../../outgoing/outcome.ts'
import { composeConfirmation, composeEvent, type FileNames, type MailContent } from './compose.ts'
import { chooseLanguage } from './mail-texts.ts'

/** The maximum number of characters of a file name in a message. */
const nameLength = 100

export interface EmailSender {
  readonly mailer: Mailer
  readonly store: MetadataStore
  readonly confirmations: EmailConfirmations
  /** Address of the web application. */
  readonly serviceURL: string
  /** The event of the message that confirms an address. */
  readonly confirmationEvent: string
}

/** Sends messages of the outbox by e-mail: events to the confirmed address of the account only. */
export function emailSender(sender: EmailSender): (message: DeliveryRecord) => Promise<Outcome> {
  const { mailer, store, confirmations, serviceURL, confirmationEvent } = sender
  const contentOf = async (message: DeliveryRecord, user: UserRecord, language: string) => {
    const setting = { language, serviceURL }
    if (message.event === confirmationEvent)
      return composeConfirmation(confirmations.issue(user.id, user.email), setting)
    const body = JSON.parse(message.payload) as EventBody
    return composeEvent(body, await filesOf(store, body), setting)
  }
  return async (message) => {
    const user = await store.users.find(message.userId ?? '')
    if (user === undefined) return givenUp('the account was removed')
    const settings = await store.notificationSettings.find(user.id)
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
): string => chooseLanguage([language, settings.language])

/** The names of the files that an event is about; null if it is about none, or if they are gone. */
async function filesOf(store: MetadataStore, body: EventBody): Promise<FileNames | null> {
  if (body.type === 'limits.near') return null
  const { uploadID, fileID } = body.data
  const files =
    fileID === undefined ? await store.files.first(uploadID) : [await store.files.find(uploadID, fileID)]
  const named = files.filter((file) => file !== undefined && file.fileName !== '')
  const [first] = named
  return first === undefined ? null : { first: shortened(first.fileName), count: named.length }
}

function shortened(name: string): string {
  const characters = Array.from(name)
  return characters.length <= nameLength ? name : `${characters.slice(0, nameLength).join('')}…`
}
