/**
 * Finds code whose change no test notices: `npm run mutate -- FILE [TEST…]`. Stryker changes the file in one place after the
 * other, and runs the tests against each change. Without a test file, the unit tests beside the file and those that import it run.
 */
import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { installTool } from '../setup/install-tool.ts'
import { SetupError } from '../setup/npm.mjs'
import { root } from '../setup/runtime.mjs'
import { describeReport } from './report.ts'
import { runStryker } from './stryker.ts'
import { unitTestsOf } from './unit-tests.ts'

class UsageError extends Error {}

/** The path of an existing file in the checkout, from its root and with slashes. */
function fileOf(argument: string): string {
  const file = relative(root, resolve(process.env['INIT_CWD'] ?? '.', argument))
  if (file.startsWith('..')) throw new UsageError(`${argument} is outside the checkout`)
  if (!existsSync(resolve(root, file))) throw new UsageError(`${argument} does not exist`)
  return file.split(sep).join('/')
}

async function main(args: readonly string[]): Promise<void> {
  const [file, ...named] = args.map(fileOf)
  if (file === undefined) throw new UsageError('usage: npm run mutate -- FILE [TEST…]')
  const tests = named.length > 0 ? named : unitTestsOf(file)
  if (tests.length === 0) throw new UsageError(`no unit test imports ${file}: name the test files after it`)
  await installTool({ folder: import.meta.dirname, name: 'the mutation tester' })
  console.log(['Tests:', ...tests].join('\n  '))
  const report = await runStryker(file, tests)
  if (report !== undefined) console.log(describeReport(report))
  else process.exitCode ??= 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError || error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
