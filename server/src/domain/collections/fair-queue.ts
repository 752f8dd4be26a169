/** The queue in which work waits, and the network of its client. */
export interface QueueEntry<Name extends string = string> {
  readonly queue: Name
  /** Networks with many requests alternate with those that have few. */
  readonly network: string
}

export interface FairQueue<Name extends string> {
  /** The number of waiting requests, in all queues. */
  readonly waiting: () => number
  /**
   * Runs work when its queue and its network are next.
   * @throws the errors of the work; the error of `full` when the queue is full, which may happen during the wait
   */
  readonly run: <Result>(entry: QueueEntry<Name>, work: () => Promise<Result>) => Promise<Result>
}

export interface FairQueueOptions {
  /** The maximum number of requests that run at the same time. */
  readonly parallel: number
  /** The maximum number of waiting requests of one queue. */
  readonly maxWaiting: number
  /** Creates the error for a request that a full queue rejects. */
  readonly full: () => Error
}

interface WaitingTask {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

/** The waiting requests of one queue, by network. The first network is next. */
type NetworkQueues = Map<string, WaitingTask[]>

/**
 * Runs waiting work round-robin: queues alternate, and so do the networks within a queue. A full queue rejects the last
 * request of the network with the most requests, so that a flood from one network does not block others.
 */
export function fairQueue<Name extends string>({
  parallel,
  maxWaiting,
  full,
}: FairQueueOptions): FairQueue<Name> {
  const queues = new Map<Name, NetworkQueues>()
  let running = 0
  /** The queue that was served last. Any other waiting queue is next, even if it is younger. */
  let last: Name | undefined

  const startNext = () => {
    const others = [...queues].filter(([name]) => name !== last)
    for (const [name, networks] of [...others, ...queues]) {
      const next = takeNext(networks)
      queues.delete(name)
      if (networks.size > 0) queues.set(name, networks)
      if (next === undefined) continue
      last = name
      next.start()
      return
    }
  }
  const wait = ({ queue: name, network }: QueueEntry<Name>): Promise<undefined> => {
    const networks = queues.get(name) ?? new Map<string, WaitingTask[]>()
    queues.set(name, networks)
    if (countOf(networks) >= maxWaiting) rejectLongest(networks, network, full)
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting = networks.get(network) ?? []
    waiting.push({
      start: () => {
        resolve(undefined)
      },
      reject,
    })
    networks.set(network, waiting)
    return promise
  }

  return {
    waiting: () => [...queues.values()].reduce((sum, networks) => sum + countOf(networks), 0),

    async run(entry, work) {
      // Finished work hands its slot directly to the next request, so that a new one cannot overtake it.
      if (running >= parallel) await wait(entry)
      else {
        running += 1
        last = entry.queue
      }
      try {
        return await work()
      } finally {
        if (queues.size === 0) running -= 1
        else startNext()
      }
    },
  }
}

function takeNext(networks: NetworkQueues): WaitingTask | undefined {
  for (const [network, waiting] of networks) {
    const next = waiting.shift()
    networks.delete(network)
    if (waiting.length > 0) networks.set(network, waiting)
    return next
  }
  return undefined
}

const countOf = (networks: NetworkQueues) =>
  [...networks.values()].reduce((sum, { length }) => sum + length, 0)

/** @throws the error of `full` when no other network has more waiting requests than this one would have */
function rejectLongest(networks: NetworkQueues, network: string, full: () => Error): void {
  const own = networks.get(network)?.length ?? 0
  const longest = [...networks.values()].reduce((a, b) => (b.length > a.length ? b : a))
  // At least one request of the longest network stays, so its entry does, too.
  const last = longest.length > own + 1 ? longest.pop() : undefined
  if (last === undefined) throw full()
  last.reject(full())
}
