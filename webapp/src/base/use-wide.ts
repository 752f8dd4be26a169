import { onScopeDispose, readonly, ref } from 'vue'

/** Whether the window has the space for two columns, as in `styles/base.css`. */
export function useWide() {
  const query = matchMedia('(width >= 68.75rem)')
  const wide = ref(query.matches)
  const follow = () => {
    wide.value = query.matches
  }
  query.addEventListener('change', follow)
  onScopeDispose(() => {
    query.removeEventListener('change', follow)
  })
  return readonly(wide)
}
