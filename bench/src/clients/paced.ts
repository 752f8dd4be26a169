import { Agent, get } from 'node:http'

/** Milliseconds between two requests for the same address. */
const paceMs = 20

/** Requests at a constant rate, independent of the responses. */
export interface PacedRequests<Name extends string> {
  /**
   * Ends them.
   * @returns the 99th percentile of the response times in milliseconds, by name
   */
  readonly stop: () => Promise<Readonly<Record<Name, number>>>
}

/**
 * Requests each address fifty times a second, measured from the time at which each request was due.
 * @throws on an error response
 */
export function startPacedRequests<const Name extends string>(
  addresses: Readonly<Record<Name, string>>,
): PacedRequests<Name> {
  const agent = new Agent({ keepAlive: true })
  const entries = Object.entries(addresses) as [Name, string][]
  const measurements = new Map(entries.map(([name]) => [name, [] as number[]]))
  const open = new Set<Promise<void>>()
  const failures: unknown[] = []
  const askFor = (name: Name, address: string, due: number) => {
    const finished = requested(agent, address).then(
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
    for (const now = performance.now(); due <= now; due += paceMs)
      for (const [name, address] of entries) askFor(name, address, due)
  }, paceMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
      if (failures.length > 0) throw failures[0]
      return Object.fromEntries(entries.map(([name]) => [name, percentile(measurements.get(name) ?? [], 0.99)])) as Record<
        Name,
        number
      >
    },
  }
}

const requested = (agent: Agent, address: string): Promise<void> =>
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
