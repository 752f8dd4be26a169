import { loadReceivingMessages } from '../../i18n/receiving-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** Why the server refuses a download, with its messages. */
export const loadDownloadRefusal = () =>
  withMessages(import('./DownloadRefusal.vue'), loadReceivingMessages())
