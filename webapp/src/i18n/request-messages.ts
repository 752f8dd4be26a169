import type { MessageFiles } from './common-messages.ts'
import { addMessages } from './i18n.ts'

const files: MessageFiles = import.meta.glob<Awaited<ReturnType<MessageFiles[string]>>>(
  '../locales/requests/*.json',
)

/** Loads the messages of the pages of upload requests. */
export const loadRequestMessages = (): Promise<void> => addMessages(files)
