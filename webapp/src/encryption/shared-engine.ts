import type { HashingEngine } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'

let engine: HashingEngine | undefined

/** One engine for all files of the page. Its workers start with the first task. */
export const sharedEngine = (): HashingEngine => (engine ??= createBrowserEngine())
