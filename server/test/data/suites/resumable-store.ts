import type { DataBackend } from '../../../src/data/backend/backend.ts'

/** One store under test, empty at the start. */
export interface ResumableStoreUnderTest {
  /** Another backend on the same store, as another process opens it. */
  readonly open: () => Promise<DataBackend>
  /** Names of all stored objects, unfinished or not. */
  readonly stored: () => Promise<readonly string[]>
  readonly close?: () => Promise<void>
}
