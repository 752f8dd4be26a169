import type { Configuration } from '@svc/contract'
import { readonly, shallowRef } from 'vue'
import { api } from './api.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly configuration: Configuration }

const state = shallowRef<State>({ kind: 'loading' })

let asked: Promise<State> | undefined

async function ask(): Promise<State> {
  state.value = { kind: 'loading' }
  try {
    state.value = { kind: 'ready', configuration: await api.configuration() }
  } catch (error) {
    state.value = { kind: 'failed', error }
  }
  return state.value
}

async function load(): Promise<void> {
  await (asked = ask())
}

/** Resolves to the configuration; undefined when loading failed. */
async function known(): Promise<Configuration | undefined> {
  const settled = await (asked ??= ask())
  return settled.kind === 'ready' ? settled.configuration : undefined
}

/** Limits and feature flags of the server, loaded once and shared by all pages. */
export function useConfiguration() {
  return { state: readonly(state), load, known }
}
