import { describe, test, type SuiteFactory } from 'vitest'
import { leftOutMark } from './needs-mark.ts'
import { lacking, type Package } from './programs.ts'

/** Leaves tests out, with the reason, where a Debian package that they need is missing. */
export function describeWith(needed: readonly Package[], title: string, tests: SuiteFactory): void {
  describeUnless(lacking(...needed), title, tests)
}

/**
 * A suite that does not run everywhere.
 * @param reason for leaving it out; null runs it
 */
export function describeUnless(reason: string | null, title: string, tests: SuiteFactory): void {
  if (reason === null) describe(title, tests)
  else describe.skip(title + leftOutMark + reason, tests)
}

/**
 * A test that does not run everywhere.
 * @param reason for leaving it out; null runs it
 */
export function testWith(needed: readonly Package[], title: string, body: () => Promise<void> | void): void {
  testUnless(lacking(...needed), title, body)
}

export function testUnless(reason: string | null, title: string, body: () => Promise<void> | void): void {
  if (reason === null) test(title, body)
  else test.skip(title + leftOutMark + reason, body)
}
