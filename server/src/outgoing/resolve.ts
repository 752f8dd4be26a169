import { lookup, Resolver } from 'node:dns/promises'

/** Resolves a name to addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>

let resolver: Resolver | undefined

/**
 * Asks the name servers only. The functions of the operating system would occupy a thread until they have a response, and the
 * same few threads read and write files: names on a slow name server could stop all transfers.
 * @throws when the name has no address
 */
export const resolveByDns: Resolve = async (host) => {
  resolver ??= new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const [first] = found
  if (addresses.length === 0) throw first.status === 'rejected' ? first.reason : new Error('no address')
  return addresses
}

/** Asks the operating system, which also reads files with names, such as `/etc/hosts`: for names of the operator. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)
