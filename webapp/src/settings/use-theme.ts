import { computed, readonly, ref } from 'vue'
import { deviceStorage, writeStored, readStored } from '../base/storage.ts'
import { availableThemes } from './theme-names.ts'
import { useSettings } from './use-settings.ts'

const key = 'svc-theme'
const theme = ref('auto')
const files = import.meta.glob('../themes/*.css')
const { settings } = useSettings()

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme of a choice: `auto` follows the system. */
function themeBehind(choice: string): string {
  const { defaultDarkTheme, defaultLightTheme } = settings.value
  if (choice !== 'auto') return choice
  return prefersDark().matches ? defaultDarkTheme : defaultLightTheme
}

let latest = 0

async function show(): Promise<void> {
  const current = (latest += 1)
  const name = themeBehind(theme.value)
  // A theme that fails to load, or is in the operator's style sheet, keeps the system's colors.
  await files[`../themes/${name}.css`]?.().catch(() => undefined)
  if (current === latest) document.documentElement.dataset['theme'] = name
}

/** Applies the choice of this device if it is still offered, or else the given one. */
export async function applyDefaultTheme(preset: string): Promise<void> {
  const offered = availableThemes(settings.value)
  const wished = [readStored(deviceStorage, key), preset].find(
    (name) => name !== null && offered.includes(name),
  )
  theme.value = wished ?? settings.value.theme
  await show()
}

/** Makes `auto` follow the system while the page is open. */
export function followSystemTheme(): void {
  prefersDark().addEventListener('change', () => {
    if (theme.value === 'auto') void show()
  })
}

/** The theme and the available choices. */
export function useTheme() {
  const choose = (name: string) => {
    writeStored(deviceStorage, key, name)
    theme.value = name
    void show()
  }
  return { theme: readonly(theme), themes: computed(() => availableThemes(settings.value)), choose }
}
