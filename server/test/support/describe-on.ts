import { env } from 'node:process'
import { describe, type SuiteFactory } from 'vitest'
import { whyNot, type TestServerKind } from '../../../scripts/test-servers/kinds.ts'

/** Set where every server must be there, so that nothing is skipped. */
const demanded = env['SVC_TEST_SERVERS'] === 'all'

/** Tests on a real server; where it is not installed they are skipped, and say why. */
export function describeOn(kind: TestServerKind, title: string, tests: SuiteFactory): void {
  const reason = demanded ? null : whyNot(kind)
  if (reason === null) describe(`${title} (${kind})`, tests)
  else describe.skip(`${title} (${kind}): skipped, ${reason}`, tests)
}
