import { useDraft } from '../upload/draft/draft.ts'
import { impersonateAfterReload } from './impersonated.ts'
import { useSessionState } from './session.ts'

/** Acting as another user, for admins. */
export function useImpersonation() {
  const { impersonatedUser, clearImpersonation } = useSessionState()
  const { discardDraft } = useDraft()
  /** Reloads the page, so that data of one user does not stay in memory while it shows another's. */
  const reloadAt = (hash: string) => {
    discardDraft()
    history.pushState(null, '', hash)
    location.reload()
  }
  return {
    /** Acts as a user in this tab. */
    impersonate: (userID: string) => {
      impersonateAfterReload(userID)
      reloadAt('#/home/uploads')
    },
    /** Returns to the admin's account, on the page of the impersonated user. */
    stopImpersonating: () => {
      const userID = impersonatedUser.value ?? ''
      clearImpersonation()
      reloadAt(`#/admin/user?id=${encodeURIComponent(userID)}`)
    },
  }
}
