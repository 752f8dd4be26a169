import { existsSync, readFileSync } from 'node:fs'
import { BlockList, isIPv4 } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'

const deploy = resolve(import.meta.dirname, '../../../deploy')
const folder = join(deploy, 'compose')
const read = (path: string) => readFileSync(path, 'utf8')

interface Network {
  readonly ipam: { readonly config: readonly [{ readonly subnet: string; readonly ip_range?: string }] }
}
interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>
  readonly [property: string]: unknown
}

/** Every set of files that the comments at their beginning start. */
const sets = [
  ['one-machine'],
  ['one-machine', 'caddy'],
  ['one-machine', 'nginx'],
  ['one-machine', 'traefik'],
  ['two-servers'],
].map((names) => ({ set: names.join(' and '), files: names.map((name) => `${name}.yaml`) }))

/** What a user writes into the file of variables. */
const written = { DOMAIN: 'files.example.org', DATABASE_PASSWORD: 'secret1', STORE_SECRET: 'secret2' }

/** The services of several files as Compose merges them, as far as these files need it. */
function servicesOf(files: readonly string[]): readonly (readonly [string, Service])[] {
  const merged = new Map<string, Service>()
  for (const file of files) {
    const text = read(join(folder, file)).replaceAll(/\$\{(\w+):\?\}/g, (variable, name: string) => {
      if (name in written) return written[name as keyof typeof written]
      throw new Error(`${file} has the unknown variable ${variable}`)
    })
    const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> }
    for (const [name, service] of Object.entries(services)) {
      const before = merged.get(name)
      const environment = { ...before?.environment, ...service.environment }
      merged.set(name, { ...before, ...service, environment })
    }
  }
  return [...merged]
}

const isServer = ([name]: readonly [string, Service]) => name.startsWith('svcd')

test.for(sets)('the server accepts the settings of $set', ({ files }) => {
  const servers = servicesOf(files).filter(isServer)
  expect(servers).not.toHaveLength(0)
  for (const [, { environment = {} }] of servers)
    expect(() => loadConfig({ environment, directory: '/data', readFile: noFile })).not.toThrow()
})

/** A container has no file but its environment. */
function noFile(path: string): string {
  throw Object.assign(new Error(path), { code: 'ENOENT' })
}

test.for(sets)('servers have few rights, images a version, and mounted files exist: $set', ({ files }) => {
  for (const [name, service] of servicesOf(files)) {
    if (isServer([name, service]))
      expect(service).toMatchObject({ image: 'svcd', read_only: true, cap_drop: ['ALL'] })
    else expect(service.image).toMatch(/^docker\.io\/[^:]+:v?\d/)
    const mounted = (service.volumes ?? []).filter((volume) => volume.startsWith('.'))
    const missing = mounted
      .map((volume) => join(folder, volume.split(':')[0] ?? ''))
      .filter((path) => !existsSync(path))
    // Those are the user's.
    expect(missing.filter((path) => !path.endsWith('/certificates'))).toEqual([])
  }
})

/** Whether an address, or the first one of a network, is in a network. */
function isIn(address: string, network: string): boolean {
  const [base = '', bits] = network.split('/')
  const list = new BlockList()
  list.addSubnet(base, Number(bits))
  return list.check(address.split('/')[0] ?? '')
}

const addressOf = ({ networks }: Service, name: string) =>
  networks === undefined || Array.isArray(networks)
    ? undefined
    : (networks as Readonly<Record<string, { readonly ipv4_address?: string }>>)[name]?.ipv4_address

/** Names of the networks of a service. */
const networksOf = ({ networks = [] }: Service): readonly string[] =>
  Array.isArray(networks) ? (networks as readonly string[]) : Object.keys(networks)

const networkSets = sets.filter(({ files }) =>
  files.some((file) => read(join(folder, file)).includes('ipam:')),
)

test.for(networkSets)(
  'servers trust the address of the proxy, which no other container gets: $set',
  ({ files }) => {
    const networks = Object.assign(
      {},
      ...files.map((file) => (parse(read(join(folder, file))) as { networks?: object }).networks),
    ) as Readonly<Record<string, Network>>
    const services = servicesOf(files)
    for (const [name, { ipam }] of Object.entries(networks)) {
      const [{ subnet, ip_range: range }] = ipam.config
      const members = services.filter(([, service]) => networksOf(service).includes(name))
      const pinned = members.flatMap(([, service]) => addressOf(service, name) ?? [])
      // The first address is the gateway's.
      expect(
        pinned.filter((address) => !isIPv4(address) || !isIn(address, subnet) || address.endsWith('.1')),
      ).toEqual([])
      expect(new Set(pinned).size).toBe(pinned.length)
      // A dynamic address could be the fixed one of another container. An `ip_range` without the fixed ones would prevent that with
      // Docker, but the CNI plugins of Podman 4 refuse fixed addresses outside of it.
      if (pinned.length > 0) expect([range, pinned.length]).toEqual([undefined, members.length])
      const [, proxy = {}] = members.find(([service]) => service === 'proxy') ?? []
      const address = addressOf(proxy, name)
      for (const [, { environment }] of members.filter(isServer))
        expect(environment?.['SVCD_TRUSTED_PROXIES']).toBe(
          JSON.stringify([address === undefined ? subnet : `${address}/32`]),
        )
    }
  },
)

test('the sample of variables has every name', () => {
  const sample = [...read(join(folder, 'compose.env.example')).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(sample).toEqual(Object.keys(written))
})

test('nginx has the same settings in front of one server and of two', () => {
  const settings = (path: string) => {
    const text = read(path)
    return text.slice(text.indexOf('  # svcd limits the size of bodies'))
  }
  expect(settings(join(folder, 'nginx.conf.template'))).toBe(settings(join(deploy, 'nginx.conf')))
})
