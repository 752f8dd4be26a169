import { useI18n } from 'vue-i18n'
import { describeError } from './describe-error.ts'

/** The sentence for an error: ours by its code, the server's own where we have none. */
export function useErrorText() {
  const { t, te } = useI18n()
  return (error: unknown): string => {
    const { code, message } = describeError(error)
    const key = `refusal.${code}`
    return te(key) ? t(key) : message
  }
}
