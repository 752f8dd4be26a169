import { watch } from 'vue'
import { applyDefaultLanguage } from '../i18n/i18n.ts'
import { applyDefaultTheme } from '../settings/use-theme.ts'
import { impersonatedUser } from '../session/impersonation.ts'
import { user } from '../session/session.ts'

/**
 * Applies the theme and the language of the account, on devices without another choice. During impersonation, the admin's
 * choice stays.
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
