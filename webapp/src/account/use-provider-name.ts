import type { Configuration, Provider } from '@svc/contract'
import { useI18n } from 'vue-i18n'
import { useConfiguration } from '../api/use-configuration.ts'

function nameAmong(configuration: Configuration, provider: Exclude<Provider, 'local'>): string {
  switch (provider) {
    case 'idp1':
      return configuration.idp1Name
    case 'idp2':
      return configuration.idp2Name
    case 'idp3':
      return configuration.idp3Name
    case 'oidc':
      return configuration.oidcProviderName
  }
}

/** Providers by the names that the operator configured. */
export function useProviderName() {
  const { t } = useI18n()
  const { state } = useConfiguration()
  return (provider: Provider): string => {
    if (provider === 'local') return t('admin.local')
    return state.value.kind === 'ready' ? nameAmong(state.value.configuration, provider) : provider
  }
}
