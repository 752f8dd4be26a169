import { loadRequestMessages } from '../../i18n/request-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** What the page of a received upload says to the owner of its request, with its messages. */
export const loadReceivedNotice = () => withMessages(import('./ReceivedNotice.vue'), loadRequestMessages())
