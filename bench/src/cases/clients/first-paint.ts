import { get } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Bench } from '../../bench.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'

const what = 'JavaScript and CSS of `GET /` with gzip'

/** The resources that a browser fetches before it shows the upload page. */
export const firstPaint: Case<Bench> = {
  name: 'first-paint',
  async run(bench) {
    await using server = await startServer(bench)
    const page = await fetchCompressed(server.url)
    if (page === null) return [{ kind: 'unmeasured', what, reason: 'the web application is not built' }]
    return [await amountOf(server.url, page.text)]
  },
}

const reference = /(?:src|href)="([^"]+\.(?:js|css))"/g

/** Pages are fetched on use; the start page is that of an upload. */
const startPage = /["'`]([^"'`]*\bUploadPage-[^"'`]+\.(?:js|css))["'`]/g

/** All resources of the start page: those that the document names, and their imports for the first page. */
async function amountOf(base: string, document: string): Promise<Row> {
  const waiting = referencesOf(document, reference, base)
  const seen = new Map<string, number>()
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (seen.has(address)) continue
    const response = await fetchCompressed(address)
    if (response === null) return { kind: 'unmeasured', what, reason: `${address} is missing` }
    seen.set(address, response.bytes)
    waiting.push(
      ...referencesOf(response.text, startPage, address),
      ...referencesOf(response.text, imported, address),
    )
  }
  const bytes = [...seen.values()].reduce((sum, length) => sum + length, 0)
  return { kind: 'measurement', what, unit: 'kB', value: bytes / 1e3, atMost: 100 }
}

/** `import … from "./other.js"`: static imports are fetched at once. */
const imported = /\b(?:import|from)\s*["']([^"']+\.js)["']/g

const referencesOf = (text: string, pattern: RegExp, base: string): string[] =>
  [...text.matchAll(pattern)].flatMap(([, path]) => (path === undefined ? [] : [new URL(path, base).href]))

/** @returns nothing if it is missing; the length is that of the transfer */
async function fetchCompressed(
  address: string,
): Promise<{ readonly bytes: number; readonly text: string } | null> {
  const asked = get(address, { headers: { 'Accept-Encoding': 'gzip', Accept: 'text/html,*/*' } })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await response.toArray()) as Buffer[])
  if (response.statusCode !== 200) return null
  const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  return { bytes: body.length, text: plain.toString('utf8') }
}
