import { get as plainGet } from 'node:http'
import { get as secureGet } from 'node:https'
import { text } from 'node:stream/consumers'
import { AggregatorRegistry } from 'prom-client'
import type { MetricsSources } from './listener.ts'

const timeoutMs = 5_000

/**
 * The metrics of all workers, aggregated by the primary.
 * @param url the address of the workers once they listen
 */
export function aggregatedMetrics(url: () => string | null): MetricsSources {
  const registry = new AggregatorRegistry()
  return {
    text: () => registry.clusterMetrics(),
    ready: async () => {
      const listening = url()
      return listening === null ? null : readReadiness(new URL('ready', listening))
    },
  }
}

/**
 * Requests `/ready` of one worker. The certificate is not verified: it is for the public domain, not for this address.
 */
function readReadiness(address: URL): Promise<string | null> {
  const get = address.protocol === 'https:' ? secureGet : plainGet
  const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(timeoutMs) }
  return new Promise((resolve) => {
    get(address, options, (response) => {
      // An incomplete body is not a report.
      const body = text(response).catch(() => null)
      resolve(response.statusCode === 200 ? body : null)
    }).on('error', () => {
      resolve(null)
    })
  })
}
