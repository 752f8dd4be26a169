import { chooseLanguage, type Language } from '@svc/contract'
import type forManaging from '../locales/managing/managing-en.json'
import type forAccounts from '../locales/accounts/accounts-en.json'
import type messages from '../locales/en.json'
import type forManifest from '../locales/manifest/manifest-en.json'
import type forReceiving from '../locales/receiving/receiving-en.json'
import type forRequests from '../locales/requests/requests-en.json'
import type forViewers from '../locales/viewers/viewers-en.json'
import { deviceStorage, readStored } from '../base/browser/storage.ts'
import { codes } from './locales.ts'

export type Messages = typeof messages &
  typeof forAccounts &
  typeof forRequests &
  typeof forManaging &
  typeof forManifest &
  typeof forReceiving &
  typeof forViewers

/** Messages of some pages: files by path, whose names end in their language. */
export type MessageFiles = Readonly<Record<string, () => Promise<{ readonly default: Partial<Messages> }>>>

/** Messages of every page. */
export const commonMessages: MessageFiles = import.meta.glob<{ default: Partial<Messages> }>(
  '../locales/*.json',
)

/** Where the browser stores the chosen language. */
export const languageKey = 'svc-language'

export const preferredLanguages = () =>
  [readStored(deviceStorage, languageKey), ...navigator.languages].filter((code) => code !== null)

/** The user's choice, or else the language of the browser. */
export const firstLanguage = (): Language => chooseLanguage(preferredLanguages(), codes)

/** Loads the messages of a language, undefined without its file. A file that is loaded already is not fetched again. */
export async function loadMessagesOf(
  files: MessageFiles,
  language: Language,
): Promise<Partial<Messages> | undefined> {
  const file = Object.keys(files).find((path) => path.endsWith(`${language}.json`))
  return (await files[file ?? '']?.())?.default
}

/** Loads the messages of every page in the first language. */
export const loadFirstMessages = () => loadMessagesOf(commonMessages, firstLanguage())
