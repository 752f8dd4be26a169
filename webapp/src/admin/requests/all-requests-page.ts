import { loadRequestMessages } from '../../i18n/request-messages.ts'
import { withMessages } from '../../requests/request-pages.ts'

/** The requests of everyone, with the messages of requests. */
export const allRequestsPage = () =>
  withMessages(() => import('./AllRequestsPage.vue'), loadRequestMessages())
