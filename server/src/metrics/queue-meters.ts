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
    spaceRefusals,
  }: Pick<Service, 'hashers' | 'resumableHashes' | 'passwords' | 'buffers' | 'budgets' | 'spaceRefusals'>,
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
  refusalMeter(registry, 'budget', {
    name: 'svcd_budget_refusals_total',
    help: 'Requests refused because a network or an account had used up its budget.',
    counts: budgets.exceeded,
  })
  refusalMeter(registry, 'code', {
    name: 'svcd_space_refusals_total',
    help: 'Requests refused because a disk was full.',
    counts: spaceRefusals.counts,
  })
  gauge('svcd_passwords_waiting', 'Passwords waiting to be hashed.', passwords.waiting)
}

/** Copies the counts of refused requests at each scrape. */
function refusalMeter(
  registry: Registry,
  label: 'budget' | 'code',
  {
    name,
    help,
    counts,
  }: {
    readonly name: string
    readonly help: string
    readonly counts: () => Readonly<Record<string, number>>
  },
): void {
  const refused = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      refused.reset()
      for (const [reason, count] of Object.entries(counts())) refused.inc({ [label]: reason }, count)
    },
  })
}
