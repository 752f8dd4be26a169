/** Built into the directory of index.html, so that its scope is the whole application. */
const script = 'shell-worker.js'

function register(): void {
  // Browsers have service workers only on pages over HTTPS. Without one, the application needs a connection.
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }
  serviceWorker?.register(new URL(script, document.baseURI)).catch(() => undefined)
}

/** Only an installed application is cached on the device, not a visited page. */
export function registerWhenInstalled(): void {
  if (matchMedia('(display-mode: standalone)').matches) register()
  addEventListener('appinstalled', register)
}
