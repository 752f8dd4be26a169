import { withMessages } from '../../i18n/with-messages.ts'

const loadMessages = async () => (await import('../../i18n/managing-messages.ts')).loadManagingMessages()

/** The list is loaded with the first choice of files, with the messages about files that cannot be sent. */
export const loadSelectedList = () => withMessages(import('./SelectedList.vue'), loadMessages())
