import { onScopeDispose } from 'vue'

/** What a response of the server says to all stores. */
export type Reported =
  /** Value of its header `Date`. */
  | { readonly date: string | null }
  | { readonly isSessionOver: true }
  /** The session belongs to another user than the page shows. */
  | { readonly isOtherUser: true }

/** The stores that listen to the client of the API. */
/* eslint no-restricted-syntax: "off" -- the client belongs to the document, as the address and the cookies of its requests do, and knows no application */
const listeners = new Set<(reported: Reported) => void>()

export function reportResponse(reported: Reported): void {
  for (const listener of listeners) listener(reported)
}

/** Calls back at every report, until the scope ends. */
export function onResponse(listener: (reported: Reported) => void): void {
  listeners.add(listener)
  onScopeDispose(() => {
    listeners.delete(listener)
  })
}
