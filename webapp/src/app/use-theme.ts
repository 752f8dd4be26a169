import { readonly, ref } from 'vue'
import { local, remember, remembered } from './storage.ts'

const key = 'svc-theme'
const theme = ref('auto')

function apply(name: string): void {
  theme.value = name
  if (name === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = name
}

/** Applies the choice that was made on this device, else the one that is given. */
export function presetTheme(preset: string): void {
  apply(remembered(local, key) ?? preset)
}

/** The colours: `auto` follows the system through `prefers-color-scheme`. */
export function useTheme() {
  const choose = (name: string) => {
    remember(local, key, name)
    apply(name)
  }
  return { theme: readonly(theme), choose }
}
