import { ref } from 'vue'
import { listen } from '../base/browser/listen.ts'
import { defineStore } from '../base/store.ts'

/**
 * Whether loading a chunk of the application failed: without a connection, or because a new version of the server has
 * chunks with other names. Without a notice, clicks would have no visible effect.
 */
export const useChunkErrors = defineStore(() => {
  const hasChunkError = ref(false)
  // Vite reports every `import()` that failed.
  listen(window, 'vite:preloadError', () => {
    hasChunkError.value = true
  })
  return { hasChunkError }
})
