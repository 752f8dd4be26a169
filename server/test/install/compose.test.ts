import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'

const deploy = resolve(import.meta.dirname, '../../../deploy')
const folder = join(deploy, 'compose')
const read = (path: string) => readFileSync(path, 'utf8')

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
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
