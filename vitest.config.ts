import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { skippedFiles } from './scripts/tests/files.ts'
import { SkippedTestsReporter } from './scripts/tests/skipped-tests-reporter.ts'

/** For every test: no limit of time decides, but one that hangs is ended. */
const common = {
  // Starting a process for each file and loading the server in it took half of the processor time of the tests.
  isolate: false,
  exclude: skippedFiles.map(({ file }) => file),
  testTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 600_000,
}

/** For tests that start what is built. */
const built = {
  ...common,
  globalSetup: ['scripts/tests/before-tests.ts'],
  setupFiles: ['server/test/support/after-file.ts'],
}

export default defineConfig({
  test: {
    // Most files wait for processes, browsers and stores half of their time.
    reporters: ['default', new SkippedTestsReporter()],
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['{contract,assembler,terminal,sdk,encryption,server,webapp,cli}/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...built,
          globalSetup: [...built.globalSetup, 'scripts/tests/shared-servers.ts'],
          name: 'server',
          include: ['server/test/**/*.test.ts'],
        },
      },
      {
        test: {
          ...built,
          name: 'webapp',
          include: ['webapp/test/**/*.test.ts'],
        },
      },
      {
        test: {
          ...built,
          name: 'sdk',
          include: ['sdk/test/**/*.test.ts'],
        },
      },
      {
        test: {
          ...built,
          name: 'cli',
          include: ['cli/test/**/*.test.ts'],
        },
      },
      {
        test: {
          ...built,
          name: 'e2e',
          include: ['e2e/src/**/*.test.ts'],
        },
      },
    ],
  },
})
