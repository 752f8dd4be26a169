/** Parts of a service worker that the types of the DOM lack. */
export interface WorkerScope {
  readonly registration: { readonly scope: string }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: {
    (type: 'install' | 'activate', listener: (event: WorkerExtendableEvent) => void): void
    (type: 'fetch', listener: (event: WorkerFetchEvent) => void): void
    (type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  }
}

export interface WorkerExtendableEvent {
  readonly waitUntil: (work: Promise<unknown>) => void
}

export interface WorkerFetchEvent extends WorkerExtendableEvent {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}
