import type { MessageFiles } from './common-messages.ts'
import { addMessages } from './i18n.ts'

const files: MessageFiles = import.meta.glob<Awaited<ReturnType<MessageFiles[string]>>>(
  '../locales/receiving/*.json',
)

/** Loads the messages for recipients about limits, states and ends of an upload. */
export const loadReceivingMessages = (): Promise<void> => addMessages(files)
