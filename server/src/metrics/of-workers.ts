import { get as plainGet } from 'node:http'
import { get as secureGet } from 'node:https'
import { text } from 'node:stream/consumers'
import { AggregatorRegistry } from 'prom-client'
import type { MetricsSources } from './listener.ts'

const patienceMs = 5_000

/** The figures of all workers as one, for their primary. @param url where the workers listen, once they do */
export function figuresOfWorkers(url: () => string | null): MetricsSources {
  const registry = new AggregatorRegistry()
  return {
    text: () => registry.clusterMetrics(),
    ready: async () => {
      const listening = url()
      return listening === null ? null : reportOf(new URL('ready', listening))
    },
  }
}

/** Asks whichever worker has its turn. What certificate it shows for this address does not matter: it is ours. */
function reportOf(address: URL): Promise<string | null> {
  const get = address.protocol === 'https:' ? secureGet : plainGet
  const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(patienceMs) }
  return new Promise((resolve) => {
    get(address, options, (response) => {
      // A body that breaks off is no report.
      const body = text(response).catch(() => null)
      resolve(response.statusCode === 200 ? body : null)
    }).on('error', () => {
      resolve(null)
    })
  })
}
