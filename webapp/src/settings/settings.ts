import { stripComments, type Language } from '@svc/contract'
import { isLanguage } from '../i18n/locales.ts'

/** The operator's settings for the appearance (docs/appearance.md). */
export interface Settings {
  readonly name: string
  /** Address of a picture; empty for the default logo. */
  readonly logo: string
  /** `auto`, or the name of a theme. */
  readonly theme: string
  /** Address of a background picture; empty for none. */
  readonly backgroundImage: string
  /** CSS colour of the background; empty for the theme's. */
  readonly backgroundColor: string
  /** Opacity of the theme's background over the picture, from 0 to 1. */
  readonly overlayOpacity: number
  /** Address of a custom style sheet; empty for none. */
  readonly customCSS: string
  /** Address of a custom script; empty for none. */
  readonly customJS: string
  /** Themes to choose from; `*` means all themes of the application. */
  readonly themes: readonly string[]
  /** The theme of `auto` on dark systems. */
  readonly defaultDarkTheme: string
  readonly defaultLightTheme: string
  /** `auto`, or a language such as `de`. */
  readonly language: string
  /** Languages to choose from; empty for all. */
  readonly languages: readonly Language[]
  /** HTML; takes precedence over the contact for abuse. */
  readonly footer: string
}

export const defaultSettings: Settings = {
  name: '',
  logo: '',
  theme: 'auto',
  backgroundImage: '',
  backgroundColor: '',
  overlayOpacity: 0.85,
  customCSS: '',
  customJS: '',
  themes: ['*'],
  defaultDarkTheme: 'dark',
  defaultLightTheme: 'light',
  language: 'auto',
  languages: [],
  footer: '',
}

export interface ReadSettings {
  readonly settings: Settings
  /** A sentence for each skipped field. */
  readonly problems: readonly string[]
}

/**
 * Reads one field.
 * @throws Error whose message ends the sentence “FIELD …”
 */
type Reader<Value> = (value: unknown, pageURL: string) => Value

function wrong(should: string): never {
  throw new Error(`has to be ${should}`)
}

const text: Reader<string> = (value) => (typeof value === 'string' ? value : wrong('a text'))

/** Addresses that the Content-Security-Policy of the page allows. */
const address =
  (...schemes: readonly string[]): Reader<string> =>
  (value, pageURL) => {
    const reference = text(value, pageURL)
    if (reference === '') return ''
    const page = new URL(pageURL)
    const url = URL.parse(reference, pageURL)
    const isOwn = url?.origin === page.origin && url.protocol === page.protocol
    if (url && (isOwn || schemes.includes(url.protocol))) return url.href
    return wrong('an address of this server')
  }

const themeName: Reader<string> = (value) =>
  typeof value === 'string' && /^[a-z0-9][a-z0-9-]*$/i.test(value)
    ? value
    : wrong('the name of a theme: letters, digits and “-”')

const list =
  <Item>(item: Reader<Item>): Reader<readonly Item[]> =>
  (value, pageURL) =>
    Array.isArray(value) ? value.map((element: unknown) => item(element, pageURL)) : wrong('a list')

const language: Reader<Language> = (value) =>
  typeof value === 'string' && isLanguage(value) ? value : wrong('the code of a language that there is')

const share: Reader<number> = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : wrong('a number from 0 to 1')

const readers: { readonly [Field in keyof Settings]: Reader<Settings[Field]> } = {
  name: text,
  logo: address('data:'),
  theme: themeName,
  backgroundImage: address('data:'),
  backgroundColor: text,
  overlayOpacity: share,
  customCSS: address(),
  customJS: address(),
  themes: list((value, pageURL) => (value === '*' ? '*' : themeName(value, pageURL))),
  defaultDarkTheme: themeName,
  defaultLightTheme: themeName,
  language: (value, pageURL) => (value === 'auto' ? 'auto' : language(value, pageURL)),
  languages: list(language),
  footer: text,
}

const isField = (name: string): name is keyof Settings => Object.hasOwn(readers, name)

/**
 * Reads settings from JSON with comments. Unknown or wrong values are reported and keep their default.
 * @param pageURL address of the page, for relative addresses
 */
export function parseSettings(json: string, pageURL: string): ReadSettings {
  const parsed: unknown = JSON.parse(stripComments(json))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { settings: defaultSettings, problems: ['it has to be an object'] }
  const problems: string[] = []
  const read: [string, unknown][] = []
  for (const [name, value] of Object.entries(parsed)) {
    try {
      if (isField(name)) read.push([name, readers[name](value, pageURL)])
      else problems.push(`“${name}” is unknown`)
    } catch (error) {
      problems.push(`“${name}” ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { settings: { ...defaultSettings, ...Object.fromEntries(read) }, problems }
}

/** Never fails, because a broken file must not block downloads. The console has the reason. */
export async function loadSettings(baseURL: string): Promise<Settings> {
  const warn = (problem: string) => {
    // eslint-disable-next-line no-console -- the author of the file looks there
    console.warn(`settings.json: ${problem}`)
  }
  try {
    const response = await fetch(`${baseURL}/settings.json`)
    if (!response.ok) return defaultSettings
    const { settings, problems } = parseSettings(await response.text(), `${baseURL}/`)
    problems.forEach(warn)
    return settings
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error))
    return defaultSettings
  }
}
