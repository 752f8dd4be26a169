import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type ParsedAddress = ReturnType<typeof ipaddr.process>

/**
 * Returns a check for membership in networks.
 * @param networks CIDR notation, or single addresses
 */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network): [ParsedAddress, number] => {
    const range = network.includes('/') ? ipaddr.parseCIDR(network) : single(ipaddr.parse(network))
    return asIPv4(range)
  })
  return (address) => {
    if (ranges.length === 0 || isIP(address) === 0) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
  }
}

/** Addresses are compared as IPv4 where they are IPv4 inside IPv6, so networks must be, too. */
function asIPv4([address, bits]: [ParsedAddress, number]): [ParsedAddress, number] {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedPrefix
  return isMapped ? [address.toIPv4Address(), bits - mappedPrefix] : [address, bits]
}

/** Bits before the IPv4 address in `::ffff:192.0.2.1` (RFC 4291). */
const mappedPrefix = 96

const single = (address: ParsedAddress): [ParsedAddress, number] => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

/** The canonical form of an address: an IPv4 address inside IPv6 becomes IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export const hostIn = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Matches `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`, without backtracking. */
const withPort = /^(?:([\d.]+):\d+|\[([^[\]]+)\](?::\d+)?)$/

/** The maximum length of a hop: an IPv6 address with the name of an interface, brackets and a port is shorter. */
const maxHopLength = 100

/**
 * The address in a hop. Some proxies add the port, and the name of an interface is valid only on their machine.
 * @returns an empty text for an invalid address
 */
function addressIn(hop: string): string {
  if (hop.length > maxHopLength) return ''
  const [, four, six] = withPort.exec(hop) ?? []
  if (six !== undefined && !six.includes(':')) return ''
  const address = plainAddress((four ?? six ?? hop).split('%', 1)[0] ?? '')
  return isIP(address) === 0 ? '' : address
}

/**
 * The source of a request that passed proxies: the right-most address that is not a trusted proxy. The list is read
 * from its right end only up to that address, because a client can write anything before it.
 * @param peer address of the other end of the socket
 * @param forwardedFor value of `X-Forwarded-For`. Any client can send it; only entries of trusted proxies count
 */
export function sourceAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: (address: string) => boolean,
): string {
  let source = plainAddress(peer)
  let end = forwardedFor?.length ?? -1
  while (end >= 0 && trusted(source)) {
    const comma = end === 0 ? -1 : (forwardedFor?.lastIndexOf(',', end - 1) ?? -1)
    const hop = addressIn(forwardedFor?.slice(comma + 1, end).trim() ?? '')
    if (hop === '') break
    source = hop
    end = comma
  }
  return source
}

/** The network by which limits count: a customer with IPv6 usually has a whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/64`).toString()
}
