import type { TokenScope } from '@svc/contract'
import { useI18n } from 'vue-i18n'

/** Labels of the scopes of tokens. */
export function useScopeLabel() {
  const { t } = useI18n()
  const words: Readonly<Record<TokenScope, () => string>> = {
    upload: () => t('tokens.rightUpload'),
    read: () => t('tokens.rightRead'),
    manage: () => t('tokens.rightManage'),
  }
  return {
    inWords: (scopes: readonly TokenScope[]) =>
      t('tokens.limited', { rights: scopes.map((scope) => words[scope]()).join(', ') }),
  }
}
