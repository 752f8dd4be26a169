import { ref } from 'vue'

/**
 * Whether a chunk of the application could not be fetched on use: without a connection, or since the server
 * has another version by now, whose parts have other names. What they did then seems to do nothing.
 */
export const hasChunkError = ref(false)

/** Vite reports every `import()` that failed. */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', () => {
    hasChunkError.value = true
  })
}
