import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useErrorText } from '../../errors/use-error-text.ts'
import { PasskeyError } from './passkey-error.ts'
import { passkeySupport, type PasskeySupport } from './passkey-support.ts'

/** Whether this browser can use passkeys, and the texts of their errors. */
export function usePasskeys() {
  const { t } = useI18n()
  const errorText = useErrorText()
  const support = ref<PasskeySupport>('unknown')
  void (async () => {
    support.value = await passkeySupport()
  })()
  return {
    support,
    errorText: (error: unknown): string =>
      error instanceof PasskeyError ? t(`requestKey.passkeyProblem.${error.code}`) : errorText(error),
  }
}
