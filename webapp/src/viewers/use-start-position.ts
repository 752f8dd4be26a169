import { computed } from 'vue'
import { useRoute } from 'vue-router'
import { queryValue } from '../base/query-value.ts'

/** The start position of a player in whole seconds, which the address has as `t`; 0 without one. */
export function useStartPosition() {
  const route = useRoute()
  return computed(() => Math.max(0, Number.parseInt(queryValue(route.query['t']) ?? '', 10) || 0))
}
