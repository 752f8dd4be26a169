import { setTimeout as wait } from 'node:timers/promises'
import { missingProgramsOf } from '../../../../scripts/test-servers/kinds.ts'
import type { Bench } from '../../bench.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../clients/webhook-receiver.ts'
import { fillOutbox, type FullOutbox } from '../../large-data/full-outbox.ts'
import { newDatabase } from '../../large-data/large-database.ts'
import { newServerSetup, startServerWith, type ServerSetup } from '../../processes/server-process.ts'
import type { Case, Row } from '../../results/rows.ts'

const accounts = 200
const perAccount = 500
const total = accounts * perAccount

/**
 * The most messages that an instance sends at a time. Those of the killed instance wait for two minutes, until its claims end, so
 * the rate is that of all others.
 */
const inFlight = 256

const leastRate = 500

/** How long the servers may take: claims end after two minutes. */
const timeoutSeconds = 480
const pollMs = 50

/** Two instances send 100,000 messages to webhooks. One of them is killed after a third, and started again. */
export const outbox: Case<Bench> = {
  name: 'outbox',
  needsTools: false,
  isLong: true,
  async run(bench) {
    const { signal } = bench
    const reason = bench.database === 'sqlite3' ? null : missingProgramsOf(bench.database)
    if (reason !== null) return [{ kind: 'unmeasured', what: bench.database, reason }]
    await using database = await newDatabase(bench)
    await using receiver = await startWebhookReceiver()
    const setup = await newServerSetup(bench, {
      ...database.settings,
      SVCD_WEBHOOK_PRIVATE_NETWORKS: '["127.0.0.1/32"]',
    })
    const messages = { accounts, perAccount, url: receiver.url, now: Date.now() }
    await using full = await fillOutbox(setup, database, messages, signal)
    await database.settle()
    const times = await deliver(setup, { receiver, full, signal })
    const { waiting, delivered } = await full.state()
    const twice = [...receiver.arrivals.values()].filter((count) => count > 1).length
    const count = (what: string, value: number, bounds: object = {}): Row => ({
      kind: 'measurement',
      what,
      unit: 'messages',
      value,
      ...bounds,
    })
    return [
      {
        kind: 'measurement',
        what: `${total.toLocaleString('en')} messages to webhooks, two instances, one killed and started again`,
        unit: 'messages/s',
        value: times.rate,
        atLeast: leastRate,
      },
      {
        kind: 'measurement',
        what: 'until the last one, after the claims of the killed instance',
        unit: 's',
        value: times.all,
      },
      count('neither delivered nor given up at the end', waiting, { atMost: 0 }),
      count('recorded as delivered', delivered, { atMost: total, atLeast: total }),
      count('received', receiver.arrivals.size, { atMost: total, atLeast: total }),
      count('received more than once', twice),
    ]
  },
}

interface Scene {
  readonly receiver: WebhookReceiver
  readonly full: FullOutbox
  readonly signal: AbortSignal
}

/** @returns messages per second, and the seconds until none is left */
async function deliver(
  setup: ServerSetup,
  { receiver, full, signal }: Scene,
): Promise<{ readonly rate: number; readonly all: number }> {
  const until = async (isReached: () => boolean | Promise<boolean>) => {
    while (receiver.elapsed() < timeoutSeconds && !(await isReached()))
      await wait(pollMs, undefined, { signal })
  }
  const receives = (count: number) => until(() => receiver.arrivals.size >= count)
  await using servers = new AsyncDisposableStack()
  const start = async () => servers.use(await startServerWith(setup, signal))
  await start()
  const killed = await start()
  await receives(total / 3)
  await killed.kill()
  await start()
  await receives(total - inFlight)
  const rate = receiver.arrivals.size / receiver.elapsed()
  await receives(total)
  await until(full.isEmpty)
  return { rate, all: receiver.elapsed() }
}
