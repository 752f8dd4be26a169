import { Agent, get } from 'node:http'

/** Milliseconds between two requests for the same address, by default. */
const defaultPace = 20

/** Requests at a constant rate, independent of the responses. */
export interface PacedRequests<Name extends string> {
  /**
   * Ends them.
   * @returns the 99th percentile of the response times in milliseconds, by name
   */
  readonly stop: () => Promise<Readonly<Record<Name, number>>>
}

/**
 * Requests each address at a constant rate, measured from the time at which each request was due.
 * @param pace milliseconds between two requests for the same address; by default fifty a second
 * @throws on an error response
 */
export function startPacedRequests<const Name extends string>(
  addresses: Readonly<Record<Name, string>>,
  pace = defaultPace,
): PacedRequests<Name> {
  const agent = new Agent({ keepAlive: true })
  const entries = Object.entries(addresses) as [Name, string][]
  const measurements = new Map(entries.map(([name]) => [name, [] as number[]]))
  const open = new Set<Promise<void>>()
  const failures: unknown[] = []
  const askFor = (name: Name, address: string, due: number) => {
    const finished = sendRequest(agent, address).then(
      () => {
        measurements.get(name)?.push(performance.now() - due)
      },
      (error: unknown) => {
        failures.push(error)
      },
    )
    open.add(finished)
    void finished.then(() => open.delete(finished))
  }
  let due = performance.now()
  const timer = setInterval(() => {
    for (const now = performance.now(); due <= now; due += pace)
      for (const [name, address] of entries) askFor(name, address, due)
  }, pace)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
      if (failures.length > 0) throw failures[0]
      return Object.fromEntries(
        entries.map(([name]) => [name, percentile(measurements.get(name) ?? [], 0.99)]),
      ) as Record<Name, number>
    },
  }
}

const sendRequest = (agent: Agent, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(address, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address}: ${String(response.statusCode)}`))
      response.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', reject)
  })

function percentile(measurements: readonly number[], part: number): number {
  const sorted = measurements.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}
