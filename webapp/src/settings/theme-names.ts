/** The themes that come with the application. Light and dark are in `styles/tokens.css`, the others in `themes/`. */
export const builtInThemes = [
  'light',
  'dark',
  'sand',
  'sky',
  'rose',
  'bright',
  'slate',
  'midnight',
  'forest',
  'plum',
  'ember',
  'contrast',
] as const

export interface ThemeChoices {
  readonly theme: string
  readonly themes: readonly string[]
}

/** Themes to choose from: `auto`, and those of the settings, each once. */
export function availableThemes({ theme, themes }: ThemeChoices): string[] {
  const named = themes.flatMap((name) => (name === '*' ? builtInThemes : [name]))
  return [...new Set(['auto', ...named, theme])]
}
