import { listen } from './listen.ts'

/** Calls a function whenever the tab becomes visible, until the scope ends. */
export function onVisible(call: () => void): void {
  listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') call()
  })
}
