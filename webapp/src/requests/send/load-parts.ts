import { loadManagingMessages } from '../../i18n/managing-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'
import { loadUploadingView } from '../../upload/load-parts.ts'

export { loadUploadingView }

/** The parts about what a visitor has sent, with their messages. */
export const loadReceiptView = () => withMessages(import('./ReceiptView.vue'), loadManagingMessages())
export const loadReceiptCard = () => withMessages(import('./ReceiptCard.vue'), loadManagingMessages())
export const loadEarlierReceipts = () => withMessages(import('./EarlierReceipts.vue'), loadManagingMessages())

/**
 * Loads what sending needs as soon as files are chosen: the transfer fills the connection, and may lose it. The receipt comes last,
 * because it is shown last.
 * @param encrypts whether the files are encrypted
 */
export const preloadSending = (encrypts: boolean) =>
  Promise.all([
    loadUploadingView(),
    import('./request-files.ts'),
    encrypts && import('./encrypt-files.ts'),
    loadReceiptView(),
  ])
