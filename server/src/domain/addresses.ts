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

/** `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`. */
const withPort = /^(?:([\d.]+):\d+|\[([^\]]*:[^\]]*)\](?::\d+)?)$/

/** The address that a proxy tells: some add the port, and the name of an interface says something on that machine alone. */
function addressIn(hop: string): string {
  const [, four, six] = withPort.exec(hop) ?? []
  return plainAddress((four ?? six ?? hop).split('%', 1)[0] ?? '')
}

/**
 * Who really sent a request that came over proxies: the right-most address that is not a trusted proxy.
 * @param peer address of the socket's other side
 * @param forwardedFor value of `X-Forwarded-For`, which anyone can write: only what trusted proxies added counts
 */
export function sourceAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: (address: string) => boolean,
): string {
  let source = plainAddress(peer)
  if (forwardedFor === undefined) return source
  const hops = forwardedFor.split(',').map((hop) => addressIn(hop.trim()))
  for (const hop of hops.reverse()) {
    if (!trusted(source) || isIP(hop) === 0) break
    source = hop
  }
  return source
}

/** Whoever has an IPv6 address has its whole /64 network: limits count by network. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/64`).toString()
}
