import { loadManagingMessages } from '../i18n/managing-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The form that sends a link by email, with its messages. */
export const loadMailCard = () => withMessages(import('./MailCard.vue'), loadManagingMessages())
