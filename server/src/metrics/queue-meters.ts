import { Counter, Gauge, type Registry } from 'prom-client'
import type { Service } from '../core/service.ts'

/** The use of shared resources, read at each scrape. */
export function queueMeters(
  registry: Registry,
  {
    hashers,
    resumableHashes,
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
  const maxBlocks = hashers.blocks.available()
  const maxBuffers = buffers.available()
  gauge(
    'svcd_hashing_bodies',
    'Bodies that hash threads are hashing.',
    () => hashers.bodies() - resumableHashes.waiting(),
  )
  gauge(
    'svcd_hashing_blocks_used',
    'Memory blocks of uploads in use.',
    () => maxBlocks - hashers.blocks.available(),
  )
  gauge(
    'svcd_sending_buffers_used',
    'Large buffers of downloads in use.',
    () => maxBuffers - buffers.available(),
  )
  budgetMeters(registry, budgets)
  gauge('svcd_passwords_waiting', 'Passwords waiting to be hashed.', passwords.waiting)
}

/** Copies the counts of refused requests at each scrape. */
function budgetMeters(registry: Registry, { exceeded }: Service['budgets']): void {
  const refused = new Counter({
    name: 'svcd_budget_refusals_total',
    help: 'Requests refused because a network or an account had used up its budget.',
    labelNames: ['budget'],
    registers: [registry],
    collect() {
      refused.reset()
      for (const [budget, count] of Object.entries(exceeded())) refused.inc({ budget }, count)
    },
  })
}
