import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite, Vitest } from 'vitest/node'
import { skippedFiles } from './files.ts'
import { skipMark } from './skip-mark.ts'

/** Lists the tests that were skipped, with the reasons. A test that is skipped without a reason fails the run. */
export class SkippedTestsReporter implements Reporter {
  #isNarrowed = false

  onInit(vitest: Vitest): void {
    this.#isNarrowed = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    // Tests of a skipped suite inside of another one stay pending.
    const skipped = tests.filter((test) => ['skipped', 'pending'].includes(test.result().state))
    const reasons = Map.groupBy(skipped, reasonOf)
    const unexplained = reasons.get(undefined) ?? []
    reasons.delete(undefined)
    const notTested = new Map(
      [...reasons].map(([reason, tests]) => [String(reason), [count(tests.length, 'test')]]),
    )
    for (const [reason, files] of Map.groupBy(skippedFiles, ({ reason }) => reason))
      notTested.set(reason, [
        ...(notTested.get(reason) ?? []),
        ...filesOrFolders(files.map(({ file }) => file)),
      ])
    const lines = [...notTested].map(([reason, parts]) => `  ${reason}: ${parts.join(', ')}`)
    if (lines.length > 0) console.log(['', 'Not tested here:', ...lines.sort(), ''].join('\n'))
    // Tests that a filter, an earlier failure or an interrupt skips need no reason.
    const isWhole =
      reason !== 'interrupted' && !this.#isNarrowed && tests.every((test) => test.result().state !== 'failed')
    if (unexplained.length === 0 || !isWhole || modules.some((module) => !module.ok())) return
    console.error(`${count(unexplained.length, 'test')} skipped without a reason:`)
    for (const test of unexplained) console.error(`  ${test.module.relativeModuleId}: ${test.fullName}`)
    process.exitCode = 1
  }
}

function reasonOf(test: TestCase): string | undefined {
  for (let at: TestCase | TestSuite | TestModule = test; at.type !== 'module'; at = at.parent) {
    const [, reason] = at.name.split(skipMark)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** The names of a few files, or the number of files in each folder. */
function filesOrFolders(files: readonly string[]): readonly string[] {
  if (files.length <= 3) return files
  return [...Map.groupBy(files, dirname)].map(
    ([folder, files]) => `${count(files.length, 'file')} in ${folder}`,
  )
}

const count = (number: number, what: string) => `${String(number)} ${what}${number === 1 ? '' : 's'}`
