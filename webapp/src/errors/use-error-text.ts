import { useI18n } from 'vue-i18n'
import { describeError } from './describe-error.ts'

/** The text for an error: translated by its code, or else the server's message. */
export function useErrorText() {
  const i18n = useI18n()
  return (error: unknown): string => {
    const { code, message, values = {}, retryAfter } = describeError(error)
    if (code === 'too_many_attempts' && retryAfter !== undefined) {
      const count = Math.max(1, Math.ceil(retryAfter / 60))
      return i18n.t('state.often', { count }, count)
    }
    // Those of some pages and parts are loaded with them.
    const keys = [
      `refusal.${code}`,
      `encrypted.refusal.${code}`,
      `transferRefusal.${code}`,
      `accountRefusal.${code}`,
      `requests.refusal.${code}`,
      `alias.refusal.${code}`,
      `mail.refusal.${code}`,
      `manifest.refusal.${code}`,
      `receiving.refusal.${code}`,
    ]
    const key = keys.find((known) => i18n.te(known))
    return key === undefined ? message : i18n.t(key, values)
  }
}
