import type { MessageFiles } from './common-messages.ts'
import { addMessages } from './i18n.ts'

const files: MessageFiles = import.meta.glob<Awaited<ReturnType<MessageFiles[string]>>>(
  '../locales/managing/*.json',
)

/** Loads the messages of parts that only senders and owners open: the list of downloads, a link by email, the key of a request, the form that edits it. */
export const loadManagingMessages = (): Promise<void> => addMessages(files)
