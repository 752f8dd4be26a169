import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A profile of the processor (`Profiler.stop` of the Chrome DevTools Protocol), as far as it is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  /** The node that ran at each sample. */
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

type Frame = Profile['nodes'][number]['callFrame']

/** What the time of a request is spent on. The first one whose pattern matches a function counts. */
const causes = [
  { cause: 'idle', native: /^\((?:idle|root)\)$/ },
  { cause: 'garbage collection', native: /^\(garbage collector\)$/ },
  { cause: 'writes to connections', native: /^(?:writev?|write\w*String|writeBuffer|shutdown)$/ },
  {
    cause: 'file system',
    native: /^(?:open|close|read|f?stat|fsync|fdatasync|link|unlink|mkdir|rename|internalModuleStat)$/,
    source: /^node:(?:fs|internal\/fs)|^src\/(?:data|io)\//,
  },
  {
    cause: 'database',
    native: /^(?:run|all|get|exec|prepare)$/,
    source: /^src\/metadata\/|node_modules\/kysely/,
  },
  { cause: 'log', source: /node_modules\/(?:pino|sonic-boom|thread-stream|on-exit-leak-free)/ },
  { cause: 'HTTP of Node', source: /^node:_http/ },
  { cause: 'streams, events and timers of Node', source: /^node:/ },
  {
    cause: 'Fastify (router, hooks, serialization)',
    source: /node_modules\/(?:fastify|find-my-way|avvio|@fastify|fast-json-stringify|light-my-request)/,
  },
  { cause: 'route, chain and handlers', source: /^(?:src|\.\.\/contract\/src)\// },
] as const satisfies readonly { readonly cause: string; readonly native?: RegExp; readonly source?: RegExp }[]

/** Native code of other kinds, such as the HTTP parser, the event loop and the engine. */
const otherCause = 'other native code'

export type Cause = (typeof causes)[number]['cause'] | typeof otherCause

/**
 * The time of a process by cause, without idle time.
 * @returns microseconds
 */
export function timeByCause({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<Cause, number> {
  const sourceOf = sourceFinder()
  const causeOf = new Map(nodes.map(({ id, callFrame }) => [id, frameCause(callFrame, sourceOf)]))
  const times = new Map<Cause, number>()
  for (const [index, id] of samples.entries()) {
    const cause = causeOf.get(id) ?? otherCause
    if (cause !== 'idle') times.set(cause, (times.get(cause) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

/**
 * The part of the time of a process, without idle time, that the functions of some sources take themselves.
 * @param source matches paths from the folder of the server, such as `src/core/service.ts`
 * @returns from 0 to 1
 */
export function shareOf(profile: Profile, source: RegExp): number {
  const sourceOf = sourceFinder()
  const matching = new Set(
    profile.nodes
      .filter(({ callFrame }) => callFrame.url !== '' && source.test(sourceOf(callFrame)))
      .map(({ id }) => id),
  )
  const all = timeByCause(profile)
    .values()
    .reduce((sum, time) => sum + time, 0)
  return (
    profile.samples.reduce(
      (sum, id, index) => sum + (matching.has(id) ? (profile.timeDeltas[index] ?? 0) : 0),
      0,
    ) / all
  )
}

function frameCause(frame: Frame, sourceOf: (frame: Frame) => string): Cause {
  const { functionName, url } = frame
  for (const { cause, ...patterns } of causes) {
    if (url === '' && 'native' in patterns && patterns.native.test(functionName)) return cause
    if (url !== '' && 'source' in patterns && patterns.source.test(sourceOf(frame))) return cause
  }
  return otherCause
}

/** Finds the source of a function in a bundle, where a comment before each module names it. */
function sourceFinder(): (frame: Frame) => string {
  const bundles = new Map<string, readonly { readonly line: number; readonly source: string }[]>()
  return ({ url, lineNumber }) => {
    if (!url.startsWith('file:')) return url
    let modules = bundles.get(url)
    if (modules === undefined)
      bundles.set(url, (modules = modulesOf(readFileSync(fileURLToPath(url), 'utf8'))))
    return modules.findLast(({ line }) => line <= lineNumber)?.source ?? url
  }
}

const modulesOf = (bundle: string) =>
  bundle.split('\n').flatMap((text, line) => {
    const [, source] = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(text) ?? []
    return source === undefined ? [] : [{ line, source }]
  })
