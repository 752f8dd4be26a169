import type { Engine } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'

let engine: Engine | undefined

/** One engine for all files of the page. Its workers start with the first task. */
export const sharedEngine = (): Engine => (engine ??= createBrowserEngine())
