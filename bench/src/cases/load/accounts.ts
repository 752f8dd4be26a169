import type { Account } from '../../account.ts'
import { startServerWithAccount } from '../../account.ts'
import type { Bench } from '../../bench.ts'
import { postScript, requestsPerSecond, p99, warmUp } from '../../clients/wrk.ts'
import { interleave, median, rounds, timeInSeconds } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'
import type { ServerProcess } from '../../processes/server-process.ts'
import { request, storeFiles } from '../../stored.ts'

const small = { count: 1, content: 'x'.repeat(1024) }

/** The cost of a session: the same server without one is the baseline. */
export const signedIn: Case<Bench> = {
  name: 'signed-in',
  async run(bench) {
    const { signal } = bench
    const { server: opened, account } = await startServerWithAccount(bench)
    await using server = opened
    const { uploadID } = await storeFiles(server, small, signal)
    const url = `${server.url}upload/${uploadID}`
    const loads = {
      anonymous: { url },
      upload: { url, headers: account.sessionHeaders },
      me: { url: `${server.url}me`, headers: account.sessionHeaders },
    }
    for (const load of Object.values(loads)) await warmUp(load, signal)
    const measurements = await interleave({
      anonymous: () => requestsPerSecond(loads.anonymous, signal),
      upload: () => requestsPerSecond(loads.upload, signal),
      me: () => requestsPerSecond(loads.me, signal),
    })
    const row = (what: string, ours: readonly number[]): Row => ({
      kind: 'comparison',
      what,
      unit: 'requests/s',
      ours,
      baseline: { name: '`GET /upload/{id}` as a guest', measurements: measurements.anonymous },
      atLeast: 0.7,
    })
    return [row('`GET /upload/{id}`, signed in', measurements.upload), row('`GET /me`', measurements.me)]
  },
}

const few = 100
const many = 100_000
const pagesPerRound = 50

/** Pages of long lists against the first page of a short one. */
export const listings: Case<Bench> = {
  name: 'listings',
  async run(bench) {
    const { signal } = bench
    const { server: opened, account } = await startServerWithAccount(bench)
    await using server = opened
    const time = async (path: string) => {
      const page = () => request(`${server.url}${path}`, { headers: account.sessionHeaders, signal })
      await page()
      const measurements = []
      for (let round = 0; round < rounds; round += 1) {
        const all = async () => {
          for (let asked = 0; asked < pagesPerRound; asked += 1) await (await page()).text()
        }
        measurements.push(((await timeInSeconds(all)) / pagesPerRound) * 1000)
      }
      return median(measurements)
    }
    await fill(bench, server, account, few)
    const shortList = await time('me/uploads')
    await fill(bench, server, account, many)
    const rows: Row[] = [
      {
        kind: 'measurement',
        what: `first page of ${String(few)} own uploads`,
        unit: 'ms',
        value: shortList,
      },
    ]
    for (const [what, path] of await pages(server, account, signal)) {
      const value = (await time(path)) / shortList
      rows.push({ kind: 'measurement', what, unit: 'times', value, atMost: 10 })
    }
    return rows
  },
}

const total = async (server: ServerProcess, account: Account, signal: AbortSignal): Promise<number> => {
  const response = await request(`${server.url}me/uploads?limit=1`, {
    headers: account.sessionHeaders,
    signal,
  })
  return ((await response.json()) as { readonly total: number }).total
}

/** Creates uploads until there are enough, sequentially for small numbers. */
async function fill(bench: Bench, server: ServerProcess, account: Account, enough: number): Promise<void> {
  const { signal } = bench
  const url = `${server.url}upload`
  const json = 'application/json'
  if (enough < 1_000) {
    const headers = { 'Content-Type': json, ...account.tokenHeaders }
    for (let created = 0; created < enough; created += 1)
      await request(url, { method: 'POST', headers, body: '{}', signal })
    return
  }
  const script = await postScript(bench, { type: json, body: '{}' })
  while ((await total(server, account, signal)) < enough)
    await requestsPerSecond({ url, script, headers: account.tokenHeaders }, signal)
}

/** The first page of every list, and one in the middle of it. */
async function pages(
  server: ServerProcess,
  account: Account,
  signal: AbortSignal,
): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = []
  for (const list of ['me/uploads', 'uploads']) {
    for (const sort of ['date', 'size']) {
      const first = `${list}?sort=${sort}`
      const middle = await cursorAfterHundredPages(`${server.url}${first}`, account, signal)
      const called = `\`/${list}\` by ${sort} with ${String(many)} uploads`
      found.push([`first page of ${called}, against that of ${String(few)}`, first])
      found.push([`page 100 of ${called}, against the same`, `${first}&after=${middle}`])
    }
  }
  return found
}

/** The cursor after a hundred full pages. */
async function cursorAfterHundredPages(
  first: string,
  { sessionHeaders }: Account,
  signal: AbortSignal,
): Promise<string> {
  let cursor = ''
  for (let page = 0; page < 100; page += 1) {
    const address = `${first}&limit=500${cursor === '' ? '' : `&after=${cursor}`}`
    const { after } = (await (await request(address, { headers: sessionHeaders, signal })).json()) as {
      readonly after: string | null
    }
    if (after === null) break
    cursor = after
  }
  return cursor
}

const loginsPerSecond = 50
const floodSeconds = 5

/** Whether many login attempts slow down downloads. */
export const logins: Case<Bench> = {
  name: 'logins',
  async run(bench) {
    const { signal } = bench
    const { server: opened } = await startServerWithAccount(bench)
    await using server = opened
    const { fileURL } = await storeFiles(server, small, signal)
    const load = { url: fileURL, connections: 1 }
    await warmUp(load, signal)
    const idle = await p99(load, floodSeconds, signal)
    const stopLogins = flood(server, signal)
    const flooded = await p99(load, floodSeconds, signal).finally(stopLogins)
    return [
      { kind: 'measurement', what: 'download of 1 KiB (p99)', unit: 'ms', value: idle },
      {
        kind: 'measurement',
        what: `the same during ${String(loginsPerSecond)} logins a second, against that`,
        unit: 'times',
        value: flooded / idle,
        atMost: 3,
      },
    ]
  },
}

/** Tries a new login each time, from a new address as the server sees it. */
function flood({ url }: ServerProcess, signal: AbortSignal): () => void {
  let tried = 0
  const timer = setInterval(() => {
    tried += 1
    const address = `198.51.${String(tried >> 8)}.${String(tried & 255)}`
    const body = JSON.stringify({ login: `unknown-${String(tried)}`, password: 'guessed' })
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address }
    fetch(`${url}auth/local/login`, { method: 'POST', headers, body, signal })
      .then((response) => response.text())
      .catch(() => undefined)
  }, 1000 / loginsPerSecond)
  return () => {
    clearInterval(timer)
  }
}
