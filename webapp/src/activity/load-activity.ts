import { loadManagingMessages } from '../i18n/managing-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The list of downloads, with its messages. */
export const loadDownloadActivity = () =>
  withMessages(import('./DownloadActivity.vue'), loadManagingMessages())

/** The same behind a button. */
export const loadActivityCard = () => withMessages(import('./ActivityCard.vue'), loadManagingMessages())
