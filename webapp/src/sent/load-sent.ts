import { loadManagingMessages } from '../i18n/managing-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The page of what this device has sent, with its messages. */
export const loadSentPage = () => withMessages(import('./SentPage.vue'), loadManagingMessages())

/** The latest of it. */
export const loadRecentlySent = () => withMessages(import('./RecentlySent.vue'), loadManagingMessages())
