import { Counter, Gauge, type Registry } from 'prom-client'
import { findingKinds } from '../core/verify/finding.ts'
import type { VerificationWatch } from '../core/verify/schedule.ts'

/** All instances and workers report the same last verification, so its values are not added up. */
export function verificationMeters(registry: Registry): VerificationWatch {
  const registers = [registry]
  const findings = new Gauge({
    name: 'svcd_verification_findings',
    help: 'Differences between database and data store that remained after the last verification.',
    labelNames: ['kind'],
    aggregator: 'max',
    registers,
  })
  for (const kind of findingKinds) findings.set({ kind }, 0)
  const last = new Gauge({
    name: 'svcd_verification_last_success_timestamp_seconds',
    help: 'Time of the last successful verification; 0 before the first.',
    aggregator: 'max',
    registers,
  })
  const runs = new Counter({
    name: 'svcd_verifications_total',
    help: 'Finished scheduled verifications.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['done', 'failed'] as const) runs.inc({ result }, 0)
  return {
    known({ doneAt, left }) {
      last.set(doneAt / 1000)
      for (const kind of findingKinds) findings.set({ kind }, left[kind])
    },
    ended: (result) => {
      runs.inc({ result })
    },
  }
}
