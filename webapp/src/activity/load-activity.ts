import { loadManagingMessages } from '../i18n/managing-messages.ts'

async function withMessages<Part>(load: () => Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([load(), loadManagingMessages()])
  return part
}

/** The list of downloads, with its messages. */
export const loadDownloadActivity = () => withMessages(() => import('./DownloadActivity.vue'))

/** The same behind a button. */
export const loadActivityCard = () => withMessages(() => import('./ActivityCard.vue'))
