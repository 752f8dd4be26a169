import type { HashingEngine } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'

/* eslint no-restricted-syntax: "off" -- its threads keep nothing of what they encrypt */
let engine: HashingEngine | undefined

/** One engine for all files of the page. Its workers start with the first task. */
export const sharedEngine = (): HashingEngine => (engine ??= createBrowserEngine())
