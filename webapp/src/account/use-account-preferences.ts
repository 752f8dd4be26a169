import { watch } from 'vue'
import { defineStore } from '../base/store.ts'
import { applyDefaultLanguage } from '../i18n/i18n.ts'
import { useSessionState } from '../session/session.ts'
import { useTheme } from '../settings/use-theme.ts'

/**
 * Applies the theme and the language of the account, on devices without another choice. During impersonation, the admin's
 * choice stays.
 */
export const useAccountPreferences = defineStore(() => {
  const { user, impersonatedUser } = useSessionState()
  const { applyDefault } = useTheme()
  watch(
    user,
    (now) => {
      if (!now || impersonatedUser.value !== null) return
      if (now.theme !== '') void applyDefault(now.theme)
      if (now.language !== '') void applyDefaultLanguage(now.language)
    },
    { immediate: true },
  )
})
