import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { root } from '../setup/runtime.mjs'

/** The unit tests in the folder of a source file, and those that import it. Paths are from the root of the checkout. */
export const unitTestsOf = (file: string): readonly string[] =>
  globSync('*/src/**/*.test.ts', { cwd: root })
    .map((test) => test.replaceAll('\\', '/'))
    .filter((test) => dirname(test) === dirname(file) || importsOf(test).includes(file))
    .sort()

const importsOf = (test: string): readonly string[] =>
  [...readFileSync(`${root}/${test}`, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']*)'/g)].map(
    ([, path = '']) => posix.join(dirname(test), path),
  )
