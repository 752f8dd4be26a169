import type { MessageFiles } from './common-messages.ts'
import { addMessages } from './i18n.ts'

const files: MessageFiles = import.meta.glob<Awaited<ReturnType<MessageFiles[string]>>>(
  '../locales/manifest/*.json',
)

/** Loads the messages about files that differ from the manifest of their upload. */
export const loadManifestMessages = (): Promise<void> => addMessages(files)
