import { loadManagingMessages } from '../../i18n/managing-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** The bar is loaded with the first choice of files, with its messages. */
export const loadSendBar = () => withMessages(import('./SendBar.vue'), loadManagingMessages())
