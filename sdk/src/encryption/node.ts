import type { Engine } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { EngineOptions } from './engine-options.ts'

export * from './index.ts'

/** Encrypts with the cipher of Node (OpenSSL), large files on worker threads. Close it at the end. */
export const createEngine = (options: EngineOptions = {}): Engine => createNodeEngine(options)
