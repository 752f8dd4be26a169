/** Names in `User-Agent`, the most specific first, because most browsers also claim to be Chrome and Safari. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

type Names = readonly (readonly [RegExp, string])[]
const nameIn = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** The browser and system of a session, as far as its `User-Agent` names them. */
export function describeBrowser(userAgent: string): {
  readonly browser: string | undefined
  readonly system: string | undefined
} {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) }
}
