import type { MetadataStore } from '../../../metadata/store.ts'
import type { AttemptResult } from '../../../metadata/notifications/outbox.ts'

/** The maximum number of results of a transaction. */
const batchRows = 200

/** Records the results of attempts together: while a transaction runs, more results join the next one. */
export interface OutboxResults {
  readonly add: (result: AttemptResult) => void
  /**
   * Writes what waits. Results that cannot be written now stay for the next write: a repeated write changes nothing, because a
   * recorded message has no claim.
   */
  readonly write: () => Promise<void>
}

export function outboxResults(
  store: Pick<MetadataStore, 'transaction'>,
  onFailure: (error: unknown) => void,
): OutboxResults {
  let waiting: AttemptResult[] = []
  let runningWrite: Promise<void> | undefined
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchRows)
      try {
        await store.transaction(({ outbox }) => recordAll(outbox, batch), { isDurable: false })
      } catch (error) {
        onFailure(error)
        return
      }
      waiting = waiting.slice(batch.length)
    }
  }
  const write = () =>
    (runningWrite ??= writeAll().finally(() => {
      runningWrite = undefined
    }))
  return {
    add(result) {
      waiting.push(result)
      void write() // It reports failures, and never rejects.
    },
    write,
  }
}

async function recordAll(outbox: MetadataStore['outbox'], batch: readonly AttemptResult[]): Promise<void> {
  const [delivered, others] = [batch.filter(isDelivered), batch.filter((result) => !isDelivered(result))]
  for (const [responseStatus, group] of Map.groupBy(delivered, (result) => result.responseStatus)) {
    const ids = group.map(({ id }) => id)
    const claims = [...new Set(group.map(({ claim }) => claim))]
    const now = Math.max(...group.map(({ finishedAt }) => finishedAt ?? 0))
    await outbox.recordDelivered(ids, { claims, now, responseStatus: responseStatus ?? 0 })
  }
  for (const result of others) await outbox.recordAttempt(result)
}

const isDelivered = ({ delivered }: AttemptResult): boolean => delivered === 1
