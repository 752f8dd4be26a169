import { readonly, shallowRef } from 'vue'
import { createI18n } from 'vue-i18n'
import { chooseLanguage, directionOf, type Language } from '@svc/contract'
import { deviceStorage, writeStored, readStored } from '../base/browser/storage.ts'
import {
  commonMessages,
  firstLanguage,
  languageKey,
  loadMessagesOf,
  preferredLanguages,
  type MessageFiles,
  type Messages,
} from './common-messages.ts'
import { codes, isLanguage, languages } from './locales.ts'
import { pluralRule } from './plural.ts'

export interface LanguageSettings {
  readonly language: string
  readonly languages: readonly Language[]
}

declare module 'vue-i18n' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- types the keys of every t()
  interface DefineLocaleMessage extends Messages {}
}

/** Messages of the pages for users and admins. */
const accounts: MessageFiles = import.meta.glob<{ default: Partial<Messages> }>('../locales/accounts/*.json')

/** One for the document: parts of the page that load on use add their messages outside of any application. */
const i18n = createI18n({
  legacy: false,
  locale: 'none',
  // Every language has every message (a test checks it), so no fallback is loaded.
  fallbackLocale: [],
  missingWarn: false,
  messages: {},
  pluralRules: Object.fromEntries(codes.map((code) => [code, pluralRule(code)])),
})

const started = Promise.withResolvers<undefined>()
/** Messages that some pages have needed. */
/* eslint no-restricted-syntax: "off" -- parts that load on use add messages outside of any application */
const added = new Map<MessageFiles, Promise<void>>()

async function loadMessages(language: Language): Promise<void> {
  const parts = [commonMessages, ...added.keys()]
  const loaded = await Promise.all(parts.map((files) => loadMessagesOf(files, language)))
  // Another part may have added messages while these were loading.
  if (added.size >= parts.length) return loadMessages(language)
  i18n.global.setLocaleMessage(language, Object.assign({}, ...loaded) as Messages)
}

async function show(language: Language): Promise<void> {
  await loadMessages(language)
  i18n.global.locale.value = language
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Starts with the user's choice, or else the language of the browser. */
export async function startI18n() {
  await show(firstLanguage())
  started.resolve(undefined)
  return i18n
}

/** Loads messages, in this language and in those that are chosen later. */
export function addMessages(files: MessageFiles): Promise<void> {
  const adding =
    added.get(files) ??
    started.promise
      .then(() => loadMessages(i18n.global.locale.value as Language))
      .catch((error: unknown) => {
        added.delete(files)
        throw error
      })
  added.set(files, adding)
  return adding
}

/** Loads the messages of the pages for users and admins. */
export const loadAccountMessages = (): Promise<void> => addMessages(accounts)

/** Languages to choose from, by code. */
// The language is that of the document, whose `lang` and `dir` it sets.
const offered = shallowRef<Readonly<Partial<Record<Language, string>>>>(languages)

/** Applies the language of the settings or the account, unless the user has chosen one on this device. */
export async function applyDefaultLanguage(preset: string): Promise<void> {
  if (preset !== 'auto' && readStored(deviceStorage, languageKey) === null && isOffered(preset))
    await show(chooseLanguage([preset], codes))
}

const isOffered = (code: string) => Object.hasOwn(offered.value, code)

/** Offers the languages of the settings (all by default), and applies their default language. */
export async function setAvailableLanguages({ language, languages: only }: LanguageSettings): Promise<void> {
  if (only.length > 0) offered.value = Object.fromEntries(only.map((code) => [code, languages[code]]))
  const choices = Object.keys(offered.value) as Language[]
  await applyDefaultLanguage(language)
  if (!isOffered(i18n.global.locale.value)) await show(chooseLanguage(preferredLanguages(), choices))
}

export function useLanguage() {
  const choose = async (code: string) => {
    if (!isLanguage(code)) return
    writeStored(deviceStorage, languageKey, code)
    await show(code)
  }
  return { language: i18n.global.locale, offered: readonly(offered), choose }
}
