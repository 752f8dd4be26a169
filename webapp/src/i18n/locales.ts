import type { Language } from '@svc/contract'

/** The complete languages by code, with their native names. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  sv: 'Svenska',
  ru: 'Русский',
  hi: 'हिन्दी',
  ja: '日本語',
  zh: '简体中文',
  ar: 'العربية',
  he: 'עברית',
} as const satisfies Record<Language, string>

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

export const codes = Object.keys(languages) as Language[]
