import type { Logger } from 'pino'

interface Disks {
  readonly config: { readonly minFreeSpace: number }
  /** Returns bytes; absent where a store has no known limit. */
  readonly data: { readonly freeSpace?: () => Promise<number> }
  readonly log: Pick<Logger, 'warn'>
}

/** Logs at the start of the server that it refuses uploads, because a client learns only that there is no space. */
export async function warnOfLowSpace({ config, data, log }: Disks): Promise<void> {
  // A store that is unreachable is reported elsewhere.
  const free = await data.freeSpace?.().catch(() => undefined)
  if (free === undefined || free >= config.minFreeSpace) return
  log.warn(
    { free, minFreeSpace: config.minFreeSpace },
    'uploads are refused, as less space is free than MinFreeSpaceStr: free some space, or set a smaller value',
  )
}
