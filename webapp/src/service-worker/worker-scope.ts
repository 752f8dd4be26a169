/** Parts of a service worker that the types of the DOM lack. */
export interface WorkerScope {
  readonly registration: WorkerRegistration
  /** Address of the script. */
  readonly location: { readonly href: string }
  readonly clients: WorkerClients
  readonly skipWaiting: () => Promise<void>
  readonly fetch: typeof fetch
  /** Absent in older browsers. */
  readonly cookieStore?: { readonly get: (name: string) => Promise<{ readonly value?: string } | null> }
  readonly addEventListener: {
    (type: 'install' | 'activate', listener: (event: WorkerExtendableEvent) => void): void
    (type: 'fetch', listener: (event: WorkerFetchEvent) => void): void
    (type: 'message', listener: (event: MessageEvent<unknown>) => void): void
    (type: 'push', listener: (event: WorkerPushEvent) => void): void
    (type: 'pushsubscriptionchange', listener: (event: WorkerSubscriptionChangeEvent) => void): void
    (type: 'notificationclick', listener: (event: WorkerClickEvent) => void): void
  }
}

export interface WorkerExtendableEvent {
  readonly waitUntil: (work: Promise<unknown>) => void
}

export interface WorkerFetchEvent extends WorkerExtendableEvent {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}

export interface WorkerRegistration {
  readonly scope: string
  readonly pushManager: Pick<PushManager, 'subscribe'>
  readonly showNotification: (title: string, options: WorkerNotificationOptions) => Promise<void>
}

/** `NotificationOptions`, with those that only some browsers have. */
export interface WorkerNotificationOptions extends NotificationOptions {
  /** ms since the epoch. */
  readonly timestamp?: number
}

export interface WorkerClients {
  readonly openWindow: (url: string) => Promise<unknown>
}

export interface WorkerPushEvent extends WorkerExtendableEvent {
  readonly data: { readonly text: () => string } | null
}

/** Browsers differ in which of the two they give. */
export interface WorkerSubscriptionChangeEvent extends WorkerExtendableEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

export interface WorkerClickEvent extends WorkerExtendableEvent {
  readonly notification: { readonly data: unknown; readonly close: () => void }
}
