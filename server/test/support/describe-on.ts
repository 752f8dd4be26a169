import type { SuiteFactory } from 'vitest'
import { missingProgramsOf, type TestServerKind } from '../../../scripts/test-servers/kinds.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'

/** Tests on a real server. If it is not installed, they are skipped with the reason. */
export const describeOn = (kind: TestServerKind, title: string, tests: SuiteFactory): void =>
  describeUnless(missingProgramsOf(kind), `${title} (${kind})`, tests)
