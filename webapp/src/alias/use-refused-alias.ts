import { ApiError } from '@svc/sdk'
import { ref, shallowRef } from 'vue'
import { defineStore } from '../base/store.ts'

/** Whether an error is about the alias of an upload. */
const isOfAlias = (error: unknown): error is ApiError =>
  error instanceof ApiError && ['alias_taken', 'invalid_alias'].includes(error.code)

/** The last alias that the server has refused. Its field shows why, until another one is typed. */
export const useRefusedAlias = defineStore(() => {
  const refused = shallowRef<{ readonly alias: string; readonly error: ApiError }>()
  /** Whether the field of the alias has not taken the focus since the error. */
  const isUnfocused = ref(false)
  /** Shows the error of a request at the field of the alias, if it is about the alias; returns whether it is. */
  const showAliasError = (alias: string, error: unknown): boolean => {
    const isRefused = isOfAlias(error)
    if (isRefused) {
      isUnfocused.value = true
      refused.value = { alias, error }
    }
    return isRefused
  }
  return { refused, isUnfocused, showAliasError }
})
