import type { Configuration } from '@svc/contract'
import { readonly, shallowRef } from 'vue'
import { client } from './client.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly configuration: Configuration }

const state = shallowRef<State>({ kind: 'loading' })

async function load(): Promise<void> {
  state.value = { kind: 'loading' }
  try {
    state.value = { kind: 'ready', configuration: await client.configuration() }
  } catch (error) {
    state.value = { kind: 'failed', error }
  }
}

/** Limits and feature flags of the server: loaded once, shared by every page. */
export function useConfiguration() {
  return { state: readonly(state), load }
}
