import { ApiError } from '@svc/sdk'
import { ref, shallowRef } from 'vue'

/** The last alias that the server has refused. Its field shows why, until another one is typed. */
export const refusedAlias = shallowRef<{ readonly alias: string; readonly error: ApiError }>()

/** Whether the field has not taken the focus yet. */
export const isRefusalNew = ref(false)

/** Whether an error is about the alias of an upload. */
const isOfAlias = (error: unknown): error is ApiError =>
  error instanceof ApiError && ['alias_taken', 'invalid_alias'].includes(error.code)

/** Shows the error of a request at the field of the alias, if it is about the alias; returns whether it is. */
export function refuseAlias(alias: string, error: unknown): boolean {
  const isRefused = isOfAlias(error)
  if (isRefused) {
    isRefusalNew.value = true
    refusedAlias.value = { alias, error }
  }
  return isRefused
}
