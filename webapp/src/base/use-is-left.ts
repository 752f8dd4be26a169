import { onScopeDispose } from 'vue'

/** @returns whether the user has left the component: work that ends after that must not navigate */
export function useIsLeft(): () => boolean {
  let isLeft = false
  onScopeDispose(() => {
    isLeft = true
  })
  return () => isLeft
}
