import type { TestProject } from 'vitest/node'
import { shareServers } from '../test-servers/shared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The port where test files ask for shared servers. */
    readonly sharedServersPort: number
  }
}

/** Vitest calls this before the first test, and the result after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { port, close } = await shareServers()
  project.provide('sharedServersPort', port)
  return close
}
