import { Gauge, type Registry } from 'prom-client'
import type { Service } from '../core/service.ts'

/** How full what is shared is, looked at when somebody asks. */
export function queueMeters(
  registry: Registry,
  {
    hashers,
    liveHashes,
    passwords,
    buffers,
  }: Pick<Service, 'hashers' | 'liveHashes' | 'passwords' | 'buffers'>,
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
  gauge('svcd_passwords_waiting', 'Passwords that wait to be hashed.', passwords.waiting)
}
