import { existsSync } from 'node:fs'

/**
 * Whether the files are there that this process runs. Threads and rarely used modules are loaded later, and fail without
 * them. The names of the bundle's files differ between versions, so an upgrade below a running server is noticed, too.
 */
export const hasProgramFiles = (): boolean => existsSync(import.meta.filename)
