import { createI18n } from 'vue-i18n'
import type messages from '../locales/en.json'
import { local, remember, remembered } from '../app/storage.ts'
import { chooseLanguage, isLanguage, languages, type Language } from './locales.ts'
import { pluralRule } from './plural.ts'

type Messages = typeof messages

declare module 'vue-i18n' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- types the keys of every t()
  interface DefineLocaleMessage extends Messages {}
}

const key = 'svc-language'
const files = import.meta.glob<{ default: Messages }>('../locales/*.json')
const codes = Object.keys(languages) as Language[]

const i18n = createI18n({
  legacy: false,
  locale: 'none',
  // Every language has every message (a test sees to it), so none has to be loaded beside the chosen one.
  fallbackLocale: [],
  missingWarn: false,
  messages: {},
  pluralRules: Object.fromEntries(codes.map((code) => [code, pluralRule(code)])),
})

/** Loads a language's messages and shows them. */
async function show(language: Language): Promise<void> {
  const load = files[`../locales/${language}.json`]
  if (load && !i18n.global.availableLocales.includes(language)) {
    i18n.global.setLocaleMessage(language, (await load()).default)
  }
  i18n.global.locale.value = language
  document.documentElement.lang = language
}

/** Starts with the person's own choice, else with the language of the browser. */
export async function startI18n() {
  const wishes = [remembered(local, key), ...navigator.languages].filter((wish) => wish !== null)
  await show(chooseLanguage(wishes))
  return i18n
}

/** Shows the language of the settings, where there is one and nobody has chosen another. */
export async function presetLanguage(preset: string): Promise<void> {
  if (preset !== 'auto' && remembered(local, key) === null) await show(chooseLanguage([preset]))
}

export function useLanguage() {
  const choose = async (code: string) => {
    if (!isLanguage(code)) return
    remember(local, key, code)
    await show(code)
  }
  return { language: i18n.global.locale, choose }
}
