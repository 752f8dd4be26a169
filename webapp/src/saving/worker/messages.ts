/** Messages between the page and its service worker. Only the page knows keys; the worker gets plain bytes. */

/** The folder, below that of the page, whose addresses the worker serves. */
export const savingFolder = 'decrypted/'
export const savingScript = 'save-worker.js'

/** From the page, with a port for everything else: a file that will be requested soon. */
export interface Offer {
  readonly kind: 'offer'
  readonly id: string
  readonly fileName: string
  readonly size: number | undefined
}

/** From the page: the worker is in use, so that the browser does not end it as idle. */
export interface KeepAlive {
  readonly kind: 'stayAwake'
}

/** From the worker: the offer is accepted, the file is requested, the next chunk is needed, the download is cancelled. */
export type FromWorker = 'known' | 'asked' | 'more' | 'cancelled'

/** From the page: bytes, the end of a complete file, or a failure. */
export type FromPage = Uint8Array<ArrayBuffer> | 'end' | 'broken'
