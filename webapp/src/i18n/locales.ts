/** The languages that are complete, by their code, as their speakers call them. */
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
} as const

export type Language = keyof typeof languages

export const fallbackLanguage: Language = 'en'

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/** The languages that are written from right to left (Unicode CLDR, "characterOrder"). */
const rightToLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)(?:-|$)/

/** The direction of a language's writing, for the attribute `dir` of the page. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.test(language) ? 'rtl' : 'ltr')

/**
 * The first wish that can be granted: exactly, or without its region (`de-AT` is granted by `de`).
 * @param wishes language codes (BCP 47), the dearest first
 * @param among what can be had; where no wish can be granted, English, else the first of them
 */
export function chooseLanguage(
  wishes: readonly string[],
  among: readonly Language[] = Object.keys(languages) as Language[],
): Language {
  const isHad = (code: string): code is Language => (among as readonly string[]).includes(code)
  for (const wish of wishes) {
    if (isHad(wish)) return wish
    const [language = ''] = wish.split('-')
    if (isHad(language)) return language
  }
  return isHad(fallbackLanguage) ? fallbackLanguage : (among[0] ?? fallbackLanguage)
}
