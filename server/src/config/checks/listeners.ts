import { isIP } from 'node:net'
import { hostIn } from '../../domain/access/addresses.ts'
import type { OptionKey, OptionValues } from '../options/options.ts'
import type { CrossFieldProblem } from './cross-field-check.ts'

/** A listener of the server with a fixed port. */
interface Listener {
  readonly key: OptionKey
  /** The keys that set it. */
  readonly keys: readonly OptionKey[]
  readonly address: string
  readonly first: number
  /** The last of its ports. */
  readonly last: number
}

/** Listeners that take a port from another. */
export function listenerProblems(values: OptionValues): readonly CrossFieldProblem[] {
  const listeners = listenersOf(values)
  return listeners.flatMap((listener, index) => {
    const other = listeners.slice(0, index).find((earlier) => isConflict(earlier, listener))
    if (other === undefined) return []
    const because = [...listener.keys, ...other.keys]
    return [{ key: listener.key, because, message: `${conflict(listener, other)}: choose another port` }]
  })
}

/** Port 0 is any free port, or no listener. */
function listenersOf(values: OptionValues): readonly Listener[] {
  const { ListenAddress, ListenPort, MetricsAddress, MetricsPort, InstanceURL, Workers } = values
  const single = (key: 'ListenPort' | 'MetricsPort', addressKey: OptionKey, address: string): Listener => ({
    key,
    keys: [key, addressKey],
    address,
    first: values[key],
    last: values[key],
  })
  const listeners = [
    ...(ListenPort === 0 ? [] : [single('ListenPort', 'ListenAddress', ListenAddress)]),
    ...(MetricsPort === 0 ? [] : [single('MetricsPort', 'MetricsAddress', MetricsAddress)]),
  ]
  if (InstanceURL === '') return listeners
  const url = new URL(InstanceURL)
  const host = hostIn(url)
  // A URL omits the default port.
  const first = url.port === '' ? 80 : Number(url.port)
  return [
    ...listeners,
    {
      key: 'InstanceURL',
      keys: ['InstanceURL', 'Workers'],
      // A name means all networks.
      address: isIP(host) === 0 ? '::' : host,
      first,
      last: first + Workers - 1,
    },
  ]
}

function conflict({ key, first, last }: Listener, other: Listener): string {
  if (key !== 'InstanceURL') return `is ${String(first)}, which ${other.key} takes on the same address`
  if (first === last) return `takes port ${String(first)}, which ${other.key} takes on the same address`
  return `takes the ports ${String(first)} to ${String(last)}, of which ${other.key} takes one on the same address`
}

const isConflict = (one: Listener, other: Listener): boolean =>
  one.first <= other.last && other.first <= one.last && overlap(one.address, other.address)

/** Whether a port of one address is taken by a listener of the other. Names are compared as they are written. */
const overlap = (one: string, other: string): boolean =>
  one === other || includes(one, other) || includes(other, one)

/** `::` also listens on the addresses of IPv4. */
const includes = (network: string, address: string): boolean =>
  network === '::' || (network === '0.0.0.0' && isIP(address) !== 6)
