import { ApiError, type IdentityProvider } from '@svc/sdk'
import { onScopeDispose, ref, shallowRef } from 'vue'
import { useSession } from '../account/use-session.ts'
import { api } from '../api/api.ts'
import { useDraft } from '../upload/draft/draft.ts'
import { saveReturnTo } from './return-to.ts'
import { consentURL } from './identity-providers.ts'

export interface LoginOptions {
  /** Target after the login, behind the `#`. */
  readonly target: () => string
  readonly onDone: () => void
}

/** Logs in with a password or by a provider; one attempt at a time. */
export function useLogin({ target, onDone }: LoginOptions) {
  const { logIn } = useSession()
  const { allowDiscard } = useDraft()
  const busy = ref(false)
  const failure = shallowRef<unknown>()

  const attempt = async (action: () => Promise<void>) => {
    if (busy.value) return
    busy.value = true
    failure.value = undefined
    try {
      await action()
    } catch (error) {
      failure.value = error
      busy.value = false
    }
  }
  const withPassword = (credentials: { readonly login: string; readonly password: string }) =>
    attempt(async () => {
      await logIn(credentials)
      busy.value = false
      onDone()
    })
  /** Opens the provider's page, from which the server redirects back. */
  const withProvider = (provider: IdentityProvider) =>
    attempt(async () => {
      const address = consentURL(await api.providerLogin(provider))
      if (address === undefined) throw new ApiError(200, 'invalid_response', 'the response is not an address')
      saveReturnTo(target())
      allowDiscard()
      location.assign(address)
    })

  // A user who returns from the provider without signing in finds the page as before.
  const wake = ({ persisted }: PageTransitionEvent) => {
    if (persisted) busy.value = false
  }
  addEventListener('pageshow', wake)
  onScopeDispose(() => {
    removeEventListener('pageshow', wake)
  })
  return { busy, failure, withPassword, withProvider }
}
