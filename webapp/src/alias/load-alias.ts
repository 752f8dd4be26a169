import { loadManagingMessages } from '../i18n/managing-messages.ts'
import { withMessages } from '../i18n/with-messages.ts'

/** The field for the alias of an upload, with its messages. */
export const loadAliasField = () => withMessages(import('./AliasField.vue'), loadManagingMessages())

/** The form that changes the alias of an upload. */
export const loadAliasCard = () => withMessages(import('./AliasCard.vue'), loadManagingMessages())
