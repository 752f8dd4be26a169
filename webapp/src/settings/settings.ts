import { isLanguage, type Language } from '../i18n/locales.ts'
import { stripComments } from './strip-comments.ts'

/** The operator's settings for the look (docs/appearance.md). */
export interface Settings {
  readonly name: string
  /** Address of a picture; empty for ours. */
  readonly logo: string
  /** `auto`, or the name of a theme. */
  readonly theme: string
  /** Address of a picture behind everything; empty for none. */
  readonly backgroundImage: string
  /** A colour of CSS behind everything; empty for the theme's. */
  readonly backgroundColor: string
  /** How much of the theme's paper lies over the picture, from 0 to 1. */
  readonly overlayOpacity: number
  /** Address of a style sheet of one's own; empty for none. */
  readonly customCSS: string
  /** Address of a script of one's own; empty for none. */
  readonly customJS: string
  /** Themes to choose from; `*` stands for all that come with the application. */
  readonly themes: readonly string[]
  /** What `auto` shows where the system is dark. */
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
  /** A sentence for each field that was skipped. */
  readonly problems: readonly string[]
}

/** Reads one field. @throws Error whose message ends the sentence “FIELD …” */
type Reader<Value> = (value: unknown, pageURL: string) => Value

function wrong(should: string): never {
  throw new Error(`has to be ${should}`)
}

const text: Reader<string> = (value) => (typeof value === 'string' ? value : wrong('a text'))

/** The policy of the page lets nothing else be loaded. */
const address =
  (...schemes: readonly string[]): Reader<string> =>
  (value, pageURL) => {
    const given = text(value, pageURL)
    if (given === '') return ''
    const page = new URL(pageURL)
    const url = URL.parse(given, pageURL)
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
    Array.isArray(value) ? value.map((one: unknown) => item(one, pageURL)) : wrong('a list')

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
 * @param pageURL where the page is, for addresses that are relative
 */
export function parseSettings(json: string, pageURL: string): ReadSettings {
  const given: unknown = JSON.parse(stripComments(json))
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { settings: defaultSettings, problems: ['it has to be an object'] }
  const problems: string[] = []
  const read: [string, unknown][] = []
  for (const [name, value] of Object.entries(given)) {
    try {
      if (isField(name)) read.push([name, readers[name](value, pageURL)])
      else problems.push(`“${name}” is unknown`)
    } catch (error) {
      problems.push(`“${name}” ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { settings: { ...defaultSettings, ...Object.fromEntries(read) }, problems }
}

/** Never fails: a missing or broken file must not keep people from their files. The reason is in the console. */
export async function loadSettings(baseURL: string): Promise<Settings> {
  const tell = (problem: string) => {
    // eslint-disable-next-line no-console -- the author of the file looks there
    console.warn(`settings.json: ${problem}`)
  }
  try {
    const response = await fetch(`${baseURL}/settings.json`)
    if (!response.ok) return defaultSettings
    const { settings, problems } = parseSettings(await response.text(), `${baseURL}/`)
    problems.forEach(tell)
    return settings
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error))
    return defaultSettings
  }
}
