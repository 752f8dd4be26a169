import { describe, test, type SuiteFactory } from 'vitest'
import { skipMark } from './skip-mark.ts'
import { missingPrograms, type Package } from './programs.ts'

/** Skips tests, with the reason, where a Debian package that they need is missing. */
export function describeWith(needed: readonly Package[], title: string, tests: SuiteFactory): void {
  describeUnless(missingPrograms(...needed), title, tests)
}

/**
 * A suite that does not run everywhere.
 * @param reason the reason for skipping it, which the end of a run lists; null runs it
 */
export function describeUnless(reason: string | null, title: string, tests: SuiteFactory): void {
  if (reason === null) describe(title, tests)
  // Never silently: the reason is in the title, from which the end of a run lists it.
  else describe.skip(title + skipMark + reason, tests)
}

/** Skips a test, with the reason, where a Debian package that it needs is missing. */
export function testWith(needed: readonly Package[], title: string, body: () => Promise<void> | void): void {
  testUnless(missingPrograms(...needed), title, body)
}

/**
 * A test that does not run everywhere.
 * @param reason the reason for skipping it, which the end of a run lists; null runs it
 */
export function testUnless(reason: string | null, title: string, body: () => Promise<void> | void): void {
  if (reason === null) test(title, body)
  // Never silently: the reason is in the title, from which the end of a run lists it.
  else test.skip(title + skipMark + reason, body)
}
