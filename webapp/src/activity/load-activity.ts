import { loadManagingMessages } from '../i18n/managing-messages.ts'

/** The list of downloads, with its messages. */
export async function loadDownloadActivity() {
  const [component] = await Promise.all([import('./DownloadActivity.vue'), loadManagingMessages()])
  return component
}

/** The same behind a button. */
export async function loadActivityCard() {
  const [component] = await Promise.all([import('./ActivityCard.vue'), loadManagingMessages()])
  return component
}
