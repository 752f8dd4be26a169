/** A language of the web application and of the mails of the server, by its code (BCP 47). */
export type Language =
  'en' | 'de' | 'es' | 'fr' | 'it' | 'nl' | 'pl' | 'pt' | 'sv' | 'ru' | 'hi' | 'ja' | 'zh' | 'ar' | 'he'

export const fallbackLanguage: Language = 'en'

/** Languages with a right-to-left script (Unicode CLDR, "characterOrder"). */
const rightToLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)(?:-|$)/

/** The writing direction of a language, for the attribute `dir` of a page. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.test(language) ? 'rtl' : 'ltr')

/**
 * The first preferred language that is available: exactly, or without its region (`de` for `de-AT`).
 * @param preferences language codes (BCP 47), the most preferred first
 * @param available languages to choose from; without a match English, or else the first of them
 */
export function chooseLanguage(preferences: readonly string[], available: readonly Language[]): Language {
  const isAvailable = (code: string): code is Language => (available as readonly string[]).includes(code)
  for (const preference of preferences) {
    if (isAvailable(preference)) return preference
    const [language = ''] = preference.split('-')
    if (isAvailable(language)) return language
  }
  return isAvailable(fallbackLanguage) ? fallbackLanguage : (available[0] ?? fallbackLanguage)
}
