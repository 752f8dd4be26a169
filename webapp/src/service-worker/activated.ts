/**
 * Waits until the worker of a registration can work.
 * @throws Error if the browser discards the worker
 */
export function activated(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceWorker>()
  const worker = registration.active ?? registration.waiting ?? registration.installing
  const checkState = () => {
    if (worker?.state === 'activated') resolve(worker)
    if (worker === null || worker.state === 'redundant')
      reject(new Error('the browser discards the service worker'))
  }
  worker?.addEventListener('statechange', checkState)
  checkState()
  return promise
}
