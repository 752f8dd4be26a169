import { shallowRef, watch, type ShallowRef } from 'vue'
import { readStored, tabStorage, writeStored } from '../../base/browser/storage.ts'

const keyOf = (name: string) => `svc-form ${name}`

/** What the tab has kept of a form for its owner, also what the owner typed before signing in; undefined if there is nothing. */
function readKept<Form extends object>(
  name: string,
  owner: string,
  initial: Form,
): Partial<Form> | undefined {
  try {
    const stored: unknown = JSON.parse(readStored(tabStorage, keyOf(name)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return undefined
    const { owner: typist, form } = stored as { readonly owner?: unknown; readonly form?: unknown }
    if ((typist !== owner && typist !== '') || typeof form !== 'object' || form === null) return undefined
    // Of another version of the page, only the fields that are the same.
    const fields = new Map<string, unknown>(Object.entries(initial))
    return Object.fromEntries(
      Object.entries(form).filter(([field, value]) => typeof fields.get(field) === typeof value),
    ) as Partial<Form>
  } catch {
    return undefined
  }
}

/** Whether the tab has kept something of a form. */
export const hasKeptForm = (name: string, owner: string): boolean => readKept(name, owner, {}) !== undefined

/**
 * A form of texts, numbers and switches that the tab keeps until it is sent: a reload, another page and signing in again do not
 * lose what was typed. Signing out removes it.
 * @param owner id of the user; empty for guests
 */
export function useKeptForm<Form extends object>(name: string, owner: string, initial: Form) {
  const kept = readKept(name, owner, initial)
  const form: ShallowRef<Form> = shallowRef({ ...initial, ...kept })
  const same = JSON.stringify(initial)
  watch(
    form,
    (now) => {
      const isEmpty = JSON.stringify(now) === same
      writeStored(tabStorage, keyOf(name), isEmpty ? null : JSON.stringify({ owner, form: now }))
    },
    // A reload can follow at once.
    { flush: 'sync' },
  )
  return {
    form,
    /** Whether the form began with what the tab had kept. */
    wasKept: kept !== undefined,
    /** Empties the form, after it was sent. */
    reset: () => {
      form.value = initial
    },
  }
}
