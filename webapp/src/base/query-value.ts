import type { LocationQueryValue } from 'vue-router'

/** The value of a query parameter; the first of several. */
export function queryValue(value: LocationQueryValue | LocationQueryValue[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value) ?? undefined
}
