import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Parsed = ReturnType<typeof ipaddr.process>

/**
 * A test for membership in some networks.
 * @param networks CIDR notation, or single addresses
 */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network): [Parsed, number] => {
    const [address, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : single(ipaddr.parse(network))
    return [address, bits]
  })
  return (address) => {
    if (ranges.length === 0 || isIP(address) === 0) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
  }
}

const single = (address: Parsed): [Parsed, number] => [address, address.kind() === 'ipv4' ? 32 : 128]

/** The same address in one spelling: IPv4 inside IPv6 becomes IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`. No part of it can match in two ways. */
const withPort = /^(?:([\d.]+):\d+|\[([^[\]]+)\](?::\d+)?)$/

/** Characters that a hop can have: an IPv6 address with the name of an interface, brackets and a port need fewer. */
const longestHop = 100

/**
 * The address that a proxy names: some add the port, and the name of an interface means something on that machine alone.
 * @returns an empty text for what is no address
 */
function addressIn(hop: string): string {
  if (hop.length > longestHop) return ''
  const [, four, six] = withPort.exec(hop) ?? []
  if (six !== undefined && !six.includes(':')) return ''
  const address = plainAddress((four ?? six ?? hop).split('%', 1)[0] ?? '')
  return isIP(address) === 0 ? '' : address
}

/**
 * Who really sent a request that came over proxies: the right-most address that is not a trusted proxy. The list is read
 * from its right end, no further than to that address: a client can fill what is left of it with anything.
 * @param peer address of the socket's other side
 * @param forwardedFor value of `X-Forwarded-For`, which anyone can write: only what trusted proxies added counts
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

/** Whoever has an IPv6 address has its whole /64 network: limits count by network. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/64`).toString()
}
