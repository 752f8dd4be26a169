/** What the page and its service worker say to each other. Only the page knows keys; the worker gets plain bytes. */

/** The folder, below that of the page, whose addresses the worker answers. */
export const savingFolder = 'decrypted/'
export const savingScript = 'save-worker.js'

/** From the page, with a port for everything else: a file that will be requested soon. */
export interface Offer {
  readonly kind: 'offer'
  readonly id: string
  readonly fileName: string
  readonly size: number | undefined
}

/** From the page, so that the worker is not taken for idle. */
export interface KeepAlive {
  readonly kind: 'stayAwake'
}

/** From the worker: the offer is known, the browser has asked for the file, wants more of it, wants no more of it. */
export type FromWorker = 'known' | 'asked' | 'more' | 'cancelled'

/** From the page: some bytes, the end of a whole file, or that there will be no whole file. */
export type FromPage = Uint8Array<ArrayBuffer> | 'end' | 'broken'
