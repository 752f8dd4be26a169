import { Counter, Gauge, type Registry } from 'prom-client'
import type { Service } from '../core/service.ts'

/** How full what is shared is, looked at when somebody asks. */
export function queueMeters(
  registry: Registry,
  {
    hashers,
    resumableHashes: liveHashes,
    passwords,
    buffers,
    budgets,
  }: Pick<Service, 'hashers' | 'resumableHashes' | 'passwords' | 'buffers' | 'budgets'>,
): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  const mostBlocks = hashers.blocks.available()
  const mostBuffers = buffers.available()
  gauge(
    'svcd_hashing_bodies',
    'Bodies that are being hashed on other threads.',
    () => hashers.bodies() - liveHashes.waiting(),
  )
  gauge(
    'svcd_hashing_blocks_used',
    'Blocks of memory between uploads, hashes and the disk that are taken.',
    () => mostBlocks - hashers.blocks.available(),
  )
  gauge(
    'svcd_sending_buffers_used',
    'Big buffers of downloads that are taken.',
    () => mostBuffers - buffers.available(),
  )
  budgetMeters(registry, budgets)
  gauge('svcd_passwords_waiting', 'Passwords that wait to be hashed.', passwords.waiting)
}

/** Counted where it is decided, and told when somebody asks. */
function budgetMeters(registry: Registry, { refusals }: Service['budgets']): void {
  const refused = new Counter({
    name: 'svcd_budget_refusals_total',
    help: 'What was refused because a network or an account had used up its budget.',
    labelNames: ['budget'],
    registers: [registry],
    collect() {
      refused.reset()
      for (const [budget, count] of Object.entries(refusals())) refused.inc({ budget }, count)
    },
  })
}
