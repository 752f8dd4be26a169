import type { MessageFiles } from './common-messages.ts'
import { addMessages } from './i18n.ts'

const files: MessageFiles = import.meta.glob<Awaited<ReturnType<MessageFiles[string]>>>(
  '../locales/viewers/*.json',
)

/** Loads the messages of the viewers of files. */
export const loadViewerMessages = (): Promise<void> => addMessages(files)
