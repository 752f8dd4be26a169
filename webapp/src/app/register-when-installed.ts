/** Built beside index.html, so that it may answer for the whole application. */
const script = 'shell-worker.js'

function register(): void {
  // Browsers have it on pages over HTTPS only; without it the application needs a connection, and that is all.
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }
  serviceWorker?.register(new URL(script, document.baseURI)).catch(() => undefined)
}

/** Who installs the application gets it kept on the device; who only visits the page gets nothing kept. */
export function registerWhenInstalled(): void {
  if (matchMedia('(display-mode: standalone)').matches) register()
  addEventListener('appinstalled', register)
}
