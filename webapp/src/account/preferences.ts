import { watch } from 'vue'
import { applyDefaultLanguage } from '../i18n/i18n.ts'
import { applyDefaultTheme } from '../settings/use-theme.ts'
import { impersonatedUser } from '../session/impersonation.ts'
import { user } from '../session/session.ts'

/**
 * Shows the colours and the language that belong to the account, on devices where nobody has chosen others. Whoever acts
 * as somebody else keeps their own.
 */
export function followPreferences(): void {
  watch(
    user,
    (now) => {
      if (!now || impersonatedUser.value !== null) return
      if (now.theme !== '') void applyDefaultTheme(now.theme)
      if (now.language !== '') void applyDefaultLanguage(now.language)
    },
    { immediate: true },
  )
}
