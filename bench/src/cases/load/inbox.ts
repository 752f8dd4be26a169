import { rm } from 'node:fs/promises'
import path from 'node:path'
import { generatedUser } from '../../../../scripts/many-uploads.ts'
import { missingProgramsOf } from '../../../../scripts/test-servers/kinds.ts'
import { accountSettings, admin, signIn, signInAs, type Account } from '../../account.ts'
import type { Bench } from '../../bench.ts'
import { newDatabase, writeExport } from '../../large-data/large-database.ts'
import { generatedRequest, manyRequests } from '../../large-data/many-requests.ts'
import { pageTime } from '../../large-data/page-time.ts'
import { newServerSetup, runCommand, startServerWith } from '../../processes/server-process.ts'
import type { Case, Row } from '../../results/rows.ts'
import { request } from '../../stored.ts'

/** The maximum of requests of a user is 1,000. */
const counts = { users: 10, requests: 10_000, uploads: 100_000 }

/** The number of rows that the web application loads at a time, of the uploads of a request and of all requests. */
const step = 50

/** The most rows of a response. The web application asks for them when it reads again all that it shows. */
const largestResponse = 500

const maxMs = 50

interface Page {
  readonly after: string | null
}

/** Lists of requests and of the uploads that they have received, in a database with 10,000 requests. */
export const inbox: Case<Bench> = {
  name: 'inbox',
  needsTools: false,
  isLong: true,
  async run(bench) {
    const { signal } = bench
    const reason = bench.database === 'sqlite3' ? null : missingProgramsOf(bench.database)
    if (reason !== null) return [{ kind: 'unmeasured', what: bench.database, reason }]
    await using database = await newDatabase(bench)
    const setup = await newServerSetup(bench, { ...accountSettings, ...database.settings })
    const file = path.join(setup.directory, 'requests.jsonl')
    await writeExport(file, manyRequests({ ...counts, now: Date.now() }))
    await runCommand(setup, ['import', file], signal)
    await rm(file)
    await database.settle()
    await using server = await startServerWith(setup, signal)
    const owner = await signInAs(server, await signIn(server, admin, signal), generatedUser(0), signal)
    const received = `${server.url}requests/${generatedRequest(0)}/uploads`
    const requests = `${server.url}requests`
    const uploadPages = await pagesOf(received, owner, signal)
    const requestPages = await pagesOf(requests, owner, signal)
    const row = async (what: string, address: string | undefined, atMost?: number): Promise<Row> => {
      if (address === undefined) throw new Error(`there is no ${what}`)
      const value = await pageTime(address, owner, signal)
      return { kind: 'measurement', what, unit: 'ms', value, ...(atMost !== undefined && { atMost }) }
    }
    return [
      await row('page 1 of the 10,000 uploads of a request', uploadPages[0], maxMs),
      await row(`page 100 of ${String(uploadPages.length)} of them`, uploadPages[99], maxMs),
      await row(
        `${String(largestResponse)} of them on one page`,
        `${received}?limit=${String(largestResponse)}`,
      ),
      await row('first page of the 1,000 requests of a user', requestPages[0], maxMs),
      await row(`the last page, ${String(requestPages.length)}, of them`, requestPages.at(-1), maxMs),
    ]
  },
}

/** The addresses of all pages of a list. */
async function pagesOf(
  list: string,
  { sessionHeaders }: Account,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const pages: string[] = []
  const first = `${list}?limit=${String(step)}`
  let next: string | null = first
  while (next !== null) {
    pages.push(next)
    const page = (await (await request(next, { headers: sessionHeaders, signal })).json()) as Page
    next = page.after === null ? null : `${first}&after=${page.after}`
  }
  return pages
}
