import { watch } from 'vue'
import { presetLanguage } from '../i18n/i18n.ts'
import { presetTheme } from '../app/use-theme.ts'
import { actingAs } from './acting.ts'
import { user } from './account-state.ts'

/**
 * Shows the colours and the language that belong to the account, on devices where nobody has chosen others. Whoever acts
 * as somebody else keeps their own.
 */
export function followPreferences(): void {
  watch(
    user,
    (now) => {
      if (!now || actingAs.value !== null) return
      if (now.theme !== '') void presetTheme(now.theme)
      if (now.language !== '') void presetLanguage(now.language)
    },
    { immediate: true },
  )
}
