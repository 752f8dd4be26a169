import { createPlainEngine, type Engine } from '@svc/encryption'
import { createBrowserEngine } from '@svc/encryption/browser'
import type { EngineOptions } from './engine-options.ts'

export * from './index.ts'

/**
 * Encrypts with the fastest cipher of the environment: in Node, that of OpenSSL, large files on worker threads; in browsers,
 * in WebAssembly in web workers; without workers, in JavaScript on the calling thread. One engine serves any number of files.
 * Close it at the end.
 */
export const createEngine = (options: EngineOptions = {}): Engine =>
  options.threads === 0 || typeof Worker === 'undefined' ? createPlainEngine() : createBrowserEngine(options)
