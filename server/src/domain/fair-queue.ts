/** Whose work it is, and which line it waits in. */
export interface Turn<Line extends string = string> {
  readonly line: Line
  /** Who asks: those who ask for much take turns with those who ask for little. */
  readonly network: string
}

export interface FairQueue<Line extends string> {
  /** How many wait now, in all lines. */
  readonly waiting: () => number
  /**
   * Does some work in its turn. @throws what the work throws; what `full` makes when the line is full, which may happen
   * while it waits
   */
  readonly run: <Result>(turn: Turn<Line>, work: () => Promise<Result>) => Promise<Result>
}

export interface FairQueueOptions {
  /** How many are worked on at once. */
  readonly parallel: number
  /** How many may wait in one line. */
  readonly most: number
  /** What somebody is refused with for whom there is no place. */
  readonly full: () => Error
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

/** Those who wait in one line, by network: the first network is the next. */
type LineOf = Map<string, Waiting[]>

/**
 * Work that waits for its turn: lines take turns, and within a line the networks. Where a line is full, the network that
 * waits with the most gives a place up: a flood from one network keeps no other out.
 */
export function fairQueue<Line extends string>({ parallel, most, full }: FairQueueOptions): FairQueue<Line> {
  const lines = new Map<Line, LineOf>()
  let running = 0
  /** The line that was served last: any other that waits is the next one, though it came later. */
  let last: Line | undefined

  const startNext = () => {
    const others = [...lines].filter(([name]) => name !== last)
    for (const [name, line] of [...others, ...lines]) {
      const next = takeNext(line)
      lines.delete(name)
      if (line.size > 0) lines.set(name, line)
      if (next === undefined) continue
      last = name
      next.start()
      return
    }
  }
  const wait = ({ line: name, network }: Turn<Line>): Promise<undefined> => {
    const line = lines.get(name) ?? new Map<string, Waiting[]>()
    lines.set(name, line)
    if (countOf(line) >= most) makePlace(line, network, full)
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const mine = line.get(network) ?? []
    mine.push({
      start: () => {
        resolve(undefined)
      },
      refuse: reject,
    })
    line.set(network, mine)
    return promise
  }

  return {
    waiting: () => [...lines.values()].reduce((sum, line) => sum + countOf(line), 0),

    async run(turn, work) {
      // Whoever ends hands its place to the next, so that nobody gets in between.
      if (running >= parallel) await wait(turn)
      else {
        running += 1
        last = turn.line
      }
      try {
        return await work()
      } finally {
        if (lines.size === 0) running -= 1
        else startNext()
      }
    },
  }
}

function takeNext(line: LineOf): Waiting | undefined {
  for (const [network, waiting] of line) {
    const next = waiting.shift()
    line.delete(network)
    if (waiting.length > 0) line.set(network, waiting)
    return next
  }
  return undefined
}

const countOf = (line: LineOf) => [...line.values()].reduce((sum, { length }) => sum + length, 0)

/** @throws what `full` makes when no network waits with more than this one would */
function makePlace(line: LineOf, network: string, full: () => Error): void {
  const own = line.get(network)?.length ?? 0
  const [longest, waiting] = [...line].reduce((a, b) => (b[1].length > a[1].length ? b : a))
  const last = waiting.length > own + 1 ? waiting.pop() : undefined
  if (last === undefined) throw full()
  if (waiting.length === 0) line.delete(longest)
  last.refuse(full())
}
