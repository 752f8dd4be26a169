/** The languages that are complete, by their code, as their speakers call them. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

export const fallbackLanguage: Language = 'en'

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/**
 * The first wish that can be granted: exactly, or without its region (`de-AT` is granted by `de`).
 * @param wishes language codes (BCP 47), the dearest first
 */
export function chooseLanguage(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    if (isLanguage(wish)) return wish
    const [language = ''] = wish.split('-')
    if (isLanguage(language)) return language
  }
  return fallbackLanguage
}
