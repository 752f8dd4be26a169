import { ref } from 'vue'

/**
 * Whether loading a chunk of the application failed: without a connection, or because a new version of the server has
 * chunks with other names. Without a notice, clicks would have no visible effect.
 */
export const hasChunkError = ref(false)

/** Vite reports every `import()` that failed. */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', () => {
    hasChunkError.value = true
  })
}
