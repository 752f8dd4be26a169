import { describe, test, type SuiteFactory } from 'vitest'
import { leftOutMark } from './needs-mark.ts'
import { lacking, type Package } from './programs.ts'

/** Tests that need programs of some Debian packages; where one is missing they are left out, with the reason. */
export function describeWith(needed: readonly Package[], title: string, tests: SuiteFactory): void {
  describeUnless(lacking(...needed), title, tests)
}

/** Tests that cannot be run everywhere. @param reason why they are left out; null: they are run */
export function describeUnless(reason: string | null, title: string, tests: SuiteFactory): void {
  if (reason === null) describe(title, tests)
  else describe.skip(title + leftOutMark + reason, tests)
}

/** The same for one test. */
export function testWith(needed: readonly Package[], title: string, body: () => Promise<void> | void): void {
  testUnless(lacking(...needed), title, body)
}

export function testUnless(reason: string | null, title: string, body: () => Promise<void> | void): void {
  if (reason === null) test(title, body)
  else test.skip(title + leftOutMark + reason, body)
}
