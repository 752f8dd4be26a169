import type { Engine } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'

let engine: Engine | undefined

/** One for all files of the page: its workers are started when there is something to do. */
export const sharedEngine = (): Engine => (engine ??= createBrowserEngine())
