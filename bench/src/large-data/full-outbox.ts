import { rm } from 'node:fs/promises'
import path from 'node:path'
import { exportLine, generatedUser, generatedUserFields } from '../../../scripts/many-uploads.ts'
import type { Event } from '../../../server/src/core/notifications/events/event.ts'
import { publish } from '../../../server/src/core/notifications/events/publish.ts'
import type { Fields } from '../../../server/src/export/record-lines.ts'
import { openDialect } from '../../../server/src/metadata/open-dialect.ts'
import { openMetadataStore, type MetadataStore } from '../../../server/src/metadata/store.ts'
import { runCommand, type ServerSetup } from '../processes/server-process.ts'
import { writeExport, type EmptyDatabase } from './large-database.ts'

/** Accounts with a webhook each, and messages that wait for it. */
export interface WaitingMessages {
  readonly accounts: number
  readonly perAccount: number
  /** The address of all webhooks. */
  readonly url: string
  /** The time of the events, in ms. */
  readonly now: number
}

/** How the messages of an outbox ended. */
export interface OutboxState {
  readonly waiting: number
  readonly delivered: number
  readonly givenUp: number
}

/** The outbox of a database, while servers send its messages. */
export interface FullOutbox extends AsyncDisposable {
  /** Whether each message was delivered or given up. */
  readonly isEmpty: () => Promise<boolean>
  /** Reads all messages. */
  readonly state: () => Promise<OutboxState>
}

/** Longer than a claim or the pause before another attempt lasts. */
const dayMs = 86_400_000

/** Fills the outbox of an empty database as events do, before any server runs. */
export async function fillOutbox(
  setup: ServerSetup,
  { config }: Pick<EmptyDatabase, 'config'>,
  messages: WaitingMessages,
  signal: AbortSignal,
): Promise<FullOutbox> {
  const file = path.join(setup.directory, 'accounts.jsonl')
  await writeExport(file, accountLines(messages))
  await runCommand(setup, ['import', file], signal)
  await rm(file)
  const store = await openMetadataStore(await openDialect(config, 'bulk', () => undefined))
  for (let account = 0; account < messages.accounts; account += 1)
    await store.transaction((transaction) => publishEvents(transaction, account, messages))
  return {
    isEmpty: async () => (await store.outbox.dueSince(Date.now() + dayMs)) === null,
    state: () => stateOf(store, messages),
    [Symbol.asyncDispose]: () => store.close(),
  }
}

function* accountLines({ accounts, url, now }: WaitingMessages): Generator<string> {
  yield exportLine('export', { version: 2 })
  for (let n = 0; n < accounts; n += 1)
    yield exportLine('user', generatedUserFields(n, { users: accounts, now }))
  for (let n = 0; n < accounts; n += 1)
    yield exportLine('webhook', {
      id: webhookId(n),
      userId: generatedUser(n),
      url,
      events: 'upload.downloaded',
      description: '',
      enabled: 1,
      secret: `whsec_${Buffer.alloc(32, n).toString('base64')}`,
      previousSecret: null,
      previousUntil: null,
      createdAt: now,
    } satisfies Fields<'webhook'>)
  yield exportLine('end', { records: 2 * accounts })
}

const webhookId = (n: number): string => `w${String(n).padStart(15, '0')}`

async function publishEvents(
  transaction: MetadataStore,
  account: number,
  { perAccount, now }: WaitingMessages,
): Promise<void> {
  const events = Array.from({ length: perAccount }, (_, n): Event => ({
    userId: generatedUser(account),
    body: {
      type: 'upload.downloaded',
      timestamp: new Date(now).toISOString(),
      data: {
        uploadID: `u${String(n).padStart(15, '0')}`,
        fileID: `f${String(n).padStart(15, '0')}`,
        result: 'whole',
        bytes: 1_024,
      },
    },
  }))
  const publisher = {
    random: (into: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(into),
    hasServerWebhook: false,
    hasEmail: false,
    onDropped: (count: number) => {
      throw new Error(`${String(count)} messages had no room`)
    },
  }
  await publish(transaction, publisher, events, now)
}

async function stateOf(
  { outbox }: Pick<MetadataStore, 'outbox'>,
  { accounts, perAccount }: WaitingMessages,
): Promise<OutboxState> {
  const counts = { waiting: 0, delivered: 0, givenUp: 0 }
  for (let n = 0; n < accounts; n += 1) {
    const { results } = await outbox.page(webhookId(n), { limit: perAccount, order: 'asc' })
    for (const { delivered, finishedAt } of results) {
      if (finishedAt === null) counts.waiting += 1
      else if (delivered === 1) counts.delivered += 1
      else counts.givenUp += 1
    }
  }
  return counts
}
