import { setTimeout as wait } from 'node:timers/promises'
import { generatedUser } from '../../../scripts/many-uploads.ts'
import type { Account } from '../account.ts'
import { startPacedRequests } from '../clients/paced.ts'
import { timeInSeconds } from '../measure.ts'
import type { Row } from '../results/rows.ts'
import type { ServerProcess, ResourceUsage } from '../processes/server-process.ts'
import { request, storeFiles } from '../stored.ts'
import { waitForCleanup } from './cleanup.ts'

const small = { count: 1, content: 'x'.repeat(1024) }
const measureMs = 10_000
const maxSeconds = 60
const maxResponseMs = 100
const maxFactor = 2

interface Removal {
  /** A description of the removal. */
  readonly what: string
  /**
   * Begins it.
   * @returns rows about the beginning
   */
  readonly begin: () => Promise<readonly Row[]>
  /**
   * Waits until the removal is complete.
   * @returns seconds
   */
  readonly end: () => Promise<number>
}

/**
 * The time of a large removal, and its effect on others: the 99th percentile of their requests before and
 * during it.
 */
async function removalRows(
  server: ServerProcess,
  { what, begin, end }: Removal,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { uploadID, fileURL } = await storeFiles(server, small, signal)
  const addresses = { get: `${server.url}upload/${uploadID}`, download: fileURL }
  // Compiles the hot paths.
  await during(addresses, () => wait(measureMs / 5, undefined, { signal }))
  const before = await during(addresses, () => wait(measureMs, undefined, { signal }))
  const rows: Row[] = []
  let usage: ResourceUsage | undefined
  const duringRemoval = await during(addresses, async () => {
    usage = await server.measureUsage(async () => {
      rows.push(...(await begin()))
      const value = await end()
      rows.push({
        kind: 'measurement',
        what: `${what}, until all is done`,
        unit: 's',
        value,
        atMost: maxSeconds,
      })
    })
  })
  const names = { get: '`GET /upload/{id}`', download: 'download of 1 KiB' }
  for (const name of ['get', 'download'] as const) {
    const change = `${before[name].toFixed(1)} to ${duringRemoval[name].toFixed(1)} ms`
    rows.push({
      kind: 'measurement',
      what: `${names[name]} (p99) during the removal, against before (${change})`,
      unit: 'times',
      value: duringRemoval[name] / before[name],
      atMost: maxFactor,
    })
  }
  if (usage !== undefined)
    rows.push(
      {
        kind: 'measurement',
        what: 'processor time of the server during the removal',
        unit: 's',
        value: usage.processor,
      },
      {
        kind: 'measurement',
        what: 'event-loop delay (p99) during the removal',
        unit: 'ms',
        value: usage.loop.p99,
      },
      {
        kind: 'measurement',
        what: 'peak memory of the server during the removal',
        unit: 'MB',
        value: usage.peakMemory / 1e6,
      },
    )
  return rows
}

async function during<Name extends string>(
  addresses: Readonly<Record<Name, string>>,
  work: () => Promise<unknown>,
): Promise<Readonly<Record<Name, number>>> {
  const paced = startPacedRequests(addresses)
  try {
    await work()
  } catch (error) {
    await paced.stop().catch(() => undefined)
    throw error
  }
  return paced.stop()
}

/** The deletion of the user with a tenth of all uploads. */
export const deletionRows = (
  server: ServerProcess,
  {
    admin,
    metrics,
    uploads,
  }: { readonly admin: Account; readonly metrics: string; readonly uploads: number },
  signal: AbortSignal,
): Promise<readonly Row[]> => {
  const what = `\`DELETE /user/{id}\` with ${uploads.toLocaleString('en')} uploads and files`
  return removalRows(
    server,
    {
      what,
      begin: async () => {
        const address = `${server.url}user/${encodeURIComponent(generatedUser(0))}`
        const init = { method: 'DELETE', headers: admin.writeHeaders, signal }
        const value = (await timeInSeconds(() => request(address, init))) * 1000
        return [
          {
            kind: 'measurement',
            what: `${what}, until the response`,
            unit: 'ms',
            value,
            atMost: maxResponseMs,
          },
        ]
      },
      end: () =>
        waitForCleanup(metrics, ({ running, done }) => !running && done.deleted_files >= uploads, signal),
    },
    signal,
  )
}

/** A cleanup of expired uploads, from the time at which the server begins it. */
export const expiryRows = (
  server: ServerProcess,
  { metrics, uploads }: { readonly metrics: string; readonly uploads: number },
  signal: AbortSignal,
): Promise<readonly Row[]> =>
  removalRows(
    server,
    {
      what: `cleanup of ${uploads.toLocaleString('en')} expired uploads and their files`,
      begin: async () => {
        await waitForCleanup(metrics, ({ done }) => done.expired_uploads > 0, signal)
        return []
      },
      end: () =>
        waitForCleanup(metrics, ({ running, done }) => !running && done.deleted_files >= uploads, signal),
    },
    signal,
  )
