import { loadReceivingMessages } from '../../i18n/receiving-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** What a recipient of encrypted files must know, with its messages. */
export const loadEncryptedNotice = () =>
  withMessages(import('../key/EncryptedNotice.vue'), loadReceivingMessages())
/** What a recipient must know about an upload, with its messages. */
export const loadUploadNotices = () => withMessages(import('./UploadNotices.vue'), loadReceivingMessages())
