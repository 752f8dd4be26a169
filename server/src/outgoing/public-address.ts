import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { addressMatcher } from '../domain/access/addresses.ts'

/**
 * Public addresses that lead to the machine itself: the platform of a virtual machine on Azure, and IPv4 addresses inside of
 * IPv6, which a translator would forward.
 */
const isPlatform = addressMatcher(['168.63.129.16/32'])

/** Global unicast addresses (IANA IPv6 address space, RFC 4291 §2.4). Everything else is reserved or local. */
const isGlobal = addressMatcher(['2000::/3'])

/**
 * Whether an address belongs to the public Internet: neither private, loopback or link-local, nor reserved (IANA special-purpose
 * registries). The metadata addresses of clouds are link-local, unique-local or in shared address space.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' ? !isPlatform(address) : isGlobal(address)
}

/** Whether the service may connect to an address. */
export type MayConnect = (address: string) => boolean

/** The addresses of this machine: a connection to them passes no firewall, also where they are public. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))

/**
 * @param allowedNetworks networks in CIDR notation that are allowed as well
 * @param own the addresses of this machine, which may change while the service runs
 */
export function addressRule(allowedNetworks: readonly string[], own = ownAddresses): MayConnect {
  const isAllowed = addressMatcher(allowedNetworks)
  const isOwn = (address: string) => {
    const text = ipaddr.process(address).toNormalizedString()
    return own().some((other) => ipaddr.isValid(other) && ipaddr.process(other).toNormalizedString() === text)
  }
  return (address) => isAllowed(address) || (isPublicAddress(address) && !isOwn(address))
}
