import { onScopeDispose, ref } from 'vue'
import { defineStore } from '../base/store.ts'

/**
 * Whether loading a chunk of the application failed: without a connection, or because a new version of the server has
 * chunks with other names. Without a notice, clicks would have no visible effect.
 */
export const useChunkErrors = defineStore(() => {
  const hasChunkError = ref(false)
  const report = () => {
    hasChunkError.value = true
  }
  // Vite reports every `import()` that failed.
  addEventListener('vite:preloadError', report)
  onScopeDispose(() => removeEventListener('vite:preloadError', report))
  return { hasChunkError }
})
