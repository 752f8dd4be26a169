import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from './report.ts'
import { createSandbox } from './sandbox.ts'

const packages = join(import.meta.dirname, 'node_modules/@stryker-mutator')

const vitestConfig = 'mutation.vitest.config.mjs'
const reportFile = 'mutation-report.json'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Two, because a process with the tests often waits. */
const concurrency = 2

/** Milliseconds that a test with a mutant may last longer than one and a half times the test without it. */
const timeoutMS = 10_000

const strykerOptions = (file: string) => ({
  mutate: [file],
  // The sandbox is a copy already.
  inPlace: true,
  ignorePatterns: ['**', `!${file}`],
  plugins: [join(packages, 'vitest-runner/dist/src/index.js')],
  testRunner: 'vitest',
  vitest: { configFile: vitestConfig, related: false, pool: 'forks' },
  coverageAnalysis: 'perTest',
  concurrency,
  timeoutMS,
  // The types do not change what a mutant does.
  disableTypeChecks: false,
  // Warnings are about the copy in place and about tests that are not sources.
  logLevel: 'error',
  reporters: ['json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  jsonReporter: { fileName: reportFile },
})

/** Vitest's settings without the builds: what is built has no mutants. */
const vitestOptions = (tests: readonly string[]) => ({
  test: {
    include: tests,
    globalSetup: ['scripts/tests/shared-servers.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})

/**
 * Runs Stryker over one file in a sandbox, and removes the sandbox.
 * @param file path from the root of the checkout, like the tests
 * @returns undefined when Stryker failed, which it has printed, or was interrupted
 */
export async function runStryker(file: string, tests: readonly string[]): Promise<Report | undefined> {
  const sandbox = createSandbox()
  try {
    writeFileSync(join(sandbox, 'stryker.config.json'), JSON.stringify(strykerOptions(file)))
    const config = `export default ${JSON.stringify(vitestOptions(tests))}\n`
    writeFileSync(join(sandbox, vitestConfig), config)
    await runToEnd(sandbox)
    const report = join(sandbox, reportFile)
    return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined
  } finally {
    rmSync(sandbox, { recursive: true, force: true })
  }
}

async function runToEnd(sandbox: string): Promise<void> {
  const child = spawn(process.execPath, [join(packages, 'core/bin/stryker.js'), 'run'], {
    cwd: sandbox,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A separate process group, which contains the processes that run the tests.
    detached: process.platform !== 'win32',
  })
  // This process stays until the sandbox is removed.
  const interrupt = (signal: NodeJS.Signals) => {
    process.exitCode = 130
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, interrupt)
  await once(child, 'exit')
  endGroup(child.pid)
  for (const signal of signals) process.off(signal, interrupt)
}

/** Ends the processes that an interrupted Stryker leaves: a mutant may loop forever. */
function endGroup(group: number | undefined): void {
  if (group === undefined || process.platform === 'win32') return
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    // All have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
