import { loadRequestMessages } from '../../i18n/request-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'

/** The requests of everyone, with the messages of requests. */
export const allRequestsPage = () => withMessages(import('./AllRequestsPage.vue'), loadRequestMessages())
