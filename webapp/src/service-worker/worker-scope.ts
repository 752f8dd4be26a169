/** What the types of the DOM do not know of a service worker. */
export interface WorkerScope {
  readonly registration: { readonly scope: string }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: {
    (type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void
    (type: 'fetch', listener: (event: AskEvent) => void): void
    (type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  }
}

export interface WaitingEvent {
  readonly waitUntil: (work: Promise<unknown>) => void
}

export interface AskEvent extends WaitingEvent {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}
