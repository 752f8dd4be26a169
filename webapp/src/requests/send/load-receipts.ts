import { loadManagingMessages } from '../../i18n/managing-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** The parts about what a visitor has sent, with their messages. */
export const loadReceiptView = () => withMessages(import('./ReceiptView.vue'), loadManagingMessages())
export const loadReceiptCard = () => withMessages(import('./ReceiptCard.vue'), loadManagingMessages())
export const loadEarlierReceipts = () => withMessages(import('./EarlierReceipts.vue'), loadManagingMessages())
