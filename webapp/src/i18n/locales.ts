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
} as const

export type Language = keyof typeof languages

export const fallbackLanguage: Language = 'en'

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/** Languages with a right-to-left script (Unicode CLDR, "characterOrder"). */
const rightToLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)(?:-|$)/

/** The writing direction of a language, for the attribute `dir` of the page. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.test(language) ? 'rtl' : 'ltr')

/**
 * The first preferred language that is available: exactly, or without its region (`de` for `de-AT`).
 * @param preferences language codes (BCP 47), the most preferred first
 * @param available languages to choose from; without a match English, or else the first of them
 */
export function chooseLanguage(
  preferences: readonly string[],
  available: readonly Language[] = Object.keys(languages) as Language[],
): Language {
  const isAvailable = (code: string): code is Language => (available as readonly string[]).includes(code)
  for (const preference of preferences) {
    if (isAvailable(preference)) return preference
    const [language = ''] = preference.split('-')
    if (isAvailable(language)) return language
  }
  return isAvailable(fallbackLanguage) ? fallbackLanguage : (available[0] ?? fallbackLanguage)
}
