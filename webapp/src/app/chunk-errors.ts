import { ref } from 'vue'

/**
 * Whether a part of the application could not be fetched when somebody wanted it: without a connection, or since the server
 * has another version by now, whose parts have other names. What they did then seems to do nothing.
 */
export const hasChunkError = ref(false)

/** Vite tells of every `import()` that failed. */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', () => {
    hasChunkError.value = true
  })
}
