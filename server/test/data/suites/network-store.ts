import type { DataBackend } from '../../../src/data/backend/backend.ts'
import type { FaultyProxy } from '../../support/servers/faulty-proxy.ts'

/** A store behind a proxy that disturbs its requests. The bucket is empty at the start. */
export interface NetworkStoreUnderTest {
  /**
   * Another backend on the same store, as another process opens it.
   * @param idleTimeout milliseconds; by default that of `testTuning`
   */
  readonly open: (idleTimeout?: number) => Promise<DataBackend>
  readonly proxy: FaultyProxy
  /** Names of all stored objects in the store's notation, unfinished or not. */
  readonly stored: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** Timeout in milliseconds for a store that does not respond, which a busy machine does not reach, and the number of attempts. */
export const testTuning = { idleTimeout: 60_000, retryPolicy: { tries: 4, firstWaitMs: 1 } }

/** For tests whose subject is the timeout, in milliseconds. */
export const shortIdleTimeout = 1_000
