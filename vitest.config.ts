import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

/** Machines of a test run may be busy with others: what waits for a browser or a process gets a second chance there. */
const retry = env['CI'] === undefined ? 0 : 2

const builds = 'scripts/before-tests.ts'

export default defineConfig({
  test: {
    // Most files wait for processes, browsers and stores half of their time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: [builds],
          include: ['{contract,assembler,terminal,sdk,encryption,server,webapp,cli}/src/**/*.test.ts'],
          // Small files of pure functions: to begin anew for each takes longer than their tests.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
        },
      },
      {
        test: {
          name: 'server',
          globalSetup: [builds],
          include: ['server/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
        },
      },
      {
        test: {
          name: 'sdk',
          globalSetup: [builds],
          include: ['sdk/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
        },
      },
      {
        test: {
          name: 'cli',
          globalSetup: [builds],
          include: ['cli/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: [builds],
          include: ['e2e/src/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
        },
      },
    ],
  },
})
