import type { Configuration } from '@svc/contract'
import { readonly, shallowRef } from 'vue'
import { defineStore } from '../base/store.ts'
import { api } from './api.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly configuration: Configuration }

/** Limits and feature flags of the server, loaded once and shared by all pages. */
export const useConfiguration = defineStore(() => {
  const state = shallowRef<State>({ kind: 'loading' })
  let loading: Promise<State> | undefined

  async function fetchConfiguration(): Promise<State> {
    state.value = { kind: 'loading' }
    try {
      state.value = { kind: 'ready', configuration: await api.configuration() }
    } catch (error) {
      state.value = { kind: 'failed', error }
    }
    return state.value
  }
  return {
    state: readonly(state),
    load: async (): Promise<void> => {
      await (loading = fetchConfiguration())
    },
    /** Resolves to the configuration; undefined when loading failed. */
    loadConfigurationOnce: async (): Promise<Configuration | undefined> => {
      const settled = await (loading ??= fetchConfiguration())
      return settled.kind === 'ready' ? settled.configuration : undefined
    },
  }
})

/** Resolves to the configuration of the server; undefined when it is unknown. */
export type LoadConfigurationOnce = ReturnType<typeof useConfiguration>['loadConfigurationOnce']
