import { loadRequestMessages } from '../../i18n/request-messages.ts'

/** The requests of everyone, with the messages of requests. */
export async function allRequestsPage() {
  const [page] = await Promise.all([import('./AllRequestsPage.vue'), loadRequestMessages()])
  return page
}
