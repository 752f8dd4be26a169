import { computed, readonly, ref } from 'vue'
import { listen } from '../base/browser/listen.ts'
import { deviceStorage, writeStored, readStored } from '../base/browser/storage.ts'
import { defineStore } from '../base/store.ts'
import { availableThemes } from './theme-names.ts'
import { useSettings } from './use-settings.ts'

const key = 'svc-theme'
const files = import.meta.glob('../themes/*.css')

/** The theme and the available choices. */
export const useTheme = defineStore(() => {
  const { settings } = useSettings()
  const theme = ref('auto')
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  let latest = 0

  /** The theme of a choice: `auto` follows the system. */
  const themeBehind = (choice: string) => {
    const { defaultDarkTheme, defaultLightTheme } = settings.value
    if (choice !== 'auto') return choice
    return prefersDark.matches ? defaultDarkTheme : defaultLightTheme
  }
  const show = async () => {
    const current = (latest += 1)
    const name = themeBehind(theme.value)
    // A theme that fails to load, or is in the operator's style sheet, keeps the system's colours.
    await files[`../themes/${name}.css`]?.().catch(() => undefined)
    if (current === latest) document.documentElement.dataset['theme'] = name
  }
  // Makes `auto` follow the system while the page is open.
  listen(prefersDark, 'change', () => {
    if (theme.value === 'auto') void show()
  })
  return {
    theme: readonly(theme),
    themes: computed(() => availableThemes(settings.value)),
    /** Applies the choice of this device if it is still offered, or else the given one. */
    applyDefault: async (preset: string) => {
      const offered = availableThemes(settings.value)
      const wished = [readStored(deviceStorage, key), preset].find(
        (name) => name !== null && offered.includes(name),
      )
      theme.value = wished ?? settings.value.theme
      await show()
    },
    choose: (name: string) => {
      writeStored(deviceStorage, key, name)
      theme.value = name
      void show()
    },
  }
})
