import { readonly, ref } from 'vue'
import { listen } from './listen.ts'

/** Whether the window has the space for two columns, as in `styles/base.css`. */
export function useWide() {
  const query = matchMedia('(width >= 68.75rem)')
  const wide = ref(query.matches)
  listen(query, 'change', () => {
    wide.value = query.matches
  })
  return readonly(wide)
}
