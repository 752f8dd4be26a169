import type { TokenScope } from '@svc/contract'
import { useI18n } from 'vue-i18n'

/** What the scopes of a token allow. */
export function useScopesText(): (scopes: readonly TokenScope[]) => string {
  const { t } = useI18n()
  const names: Readonly<Record<TokenScope, () => string>> = {
    upload: () => t('tokens.scopeUpload'),
    read: () => t('tokens.scopeRead'),
    manage: () => t('tokens.scopeManage'),
  }
  return (scopes) => t('tokens.limited', { scopes: scopes.map((scope) => names[scope]()).join(', ') })
}
