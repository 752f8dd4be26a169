import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { waysToInstall } from '../../../scripts/tests/programs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Runs a test file with the reporter.
 * @returns what it writes, and its exit code
 */
async function report(tests: string) {
  const folder = await temporaryDirectory()
  const reporter = JSON.stringify(join(root, 'scripts/tests/skipped-tests-reporter.ts'))
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `import { SkippedTestsReporter } from ${reporter}
     export default { test: { globals: true, reporters: [new SkippedTestsReporter()] } }`,
  )
  writeFileSync(join(folder, 'some.test.js'), `test('passes', () => {})\n${tests}`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { stdout, stderr, status } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    encoding: 'utf8',
  })
  return { output: stdout + stderr, code: status }
}

test('a test in skipped suites inside of each other is listed with its reason', async () => {
  const { output, code } = await report(
    `describe.skip('outer — not tested here: some program', () => describe.skip('inner', () => test('a', () => {})))`,
  )
  expect(output).toContain('  some program: 1 test\n')
  expect(code).toBe(0)
})

test('such a test without a reason fails the run', async () => {
  const { output, code } = await report(
    `describe.skip('outer', () => describe.skip('inner', () => test('a', () => {})))`,
  )
  expect(output).toContain('1 test skipped without a reason:\n  some.test.js: outer > inner > a\n')
  expect(code).toBe(1)
})

test('a program without a package in Ubuntu is found through a variable there', () => {
  expect(waysToInstall(['chromium', 'age'], false)).toBe('apt-get install chromium age')
  expect(waysToInstall(['chromium', 'age'], true)).toBe(
    'apt-get install age; Ubuntu has no package of Chromium: set SVC_CHROMIUM to its path',
  )
  expect(waysToInstall(['firefox-esr'], true)).toBe(
    'Ubuntu has no package of Firefox 143 or newer: set SVC_FIREFOX to its path',
  )
})
