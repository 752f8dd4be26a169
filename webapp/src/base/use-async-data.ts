import { onScopeDispose, shallowRef } from 'vue'

export type AsyncData<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly value: Value }

/** Data that a page fetches when it opens. The old data stays visible during a refetch. */
export function useAsyncData<Value>(ask: () => Promise<Value>) {
  const state = shallowRef<AsyncData<Value>>({ kind: 'loading' })
  let latest = 0
  const load = async (): Promise<void> => {
    const current = (latest += 1)
    const next = await ask().then(
      (value): AsyncData<Value> => ({ kind: 'ready', value }),
      (error: unknown): AsyncData<Value> => ({ kind: 'failed', error }),
    )
    if (current === latest) state.value = next
  }
  onScopeDispose(() => {
    latest += 1
  })
  void load()
  return { state, load }
}
