import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmOf, root } from '../setup/runtime.mjs'
import type { Source } from './source.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly [property: string]: unknown
}

/** The used fields of a software bill of materials in CycloneDX's JSON format. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly serialNumber: string
  readonly metadata: { readonly component: Component; readonly timestamp: string }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface PackagedNode {
  readonly path: string
  readonly version: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The packaged workspaces, which are built into the product with all their dependencies. */
const shipped = ['server', 'cli', 'webapp', 'sdk', 'encryption', 'contract', 'assembler', 'terminal']

/** Build tools among the dependencies, for example as peers. The product does not contain them. */
const buildTools = /^(?:vite|rolldown|typescript|vue-tsc|@vitejs\/.*|@intlify\/unplugin-.*|@types\/.*)$/

/**
 * The bill of materials of the packaged product: its packages, as npm describes them, and its Node. The same product has the
 * same one.
 * @param node the packaged Node
 */
export function sbomOf(node: PackagedNode, { epoch }: Pick<Source, 'epoch'>): Sbom {
  const all = askNpm()
  const refs = reachable(all)
  const { name, version } = manifestOf('server')
  const product = {
    ...all.metadata.component,
    'bom-ref': `${name}@${version}`,
    name: 'svcd',
    version,
    type: 'application',
  }
  const components = [
    ...all.components.filter((component) => refs.has(component['bom-ref'])),
    nodeComponent(node),
  ]
  const timestamp = new Date(epoch * 1000).toISOString()
  return {
    ...all,
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([timestamp, components]))}`,
    metadata: { ...all.metadata, timestamp, component: product },
    components: components.filter((component) => component['bom-ref'] !== product['bom-ref']),
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  }
}

/** All packages of the lock file. (`--omit=dev` would omit packages that are used both ways.) */
function askNpm(): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  // The project's npm comes first in the path, because an old npm of the system lacks this command.
  const own = npmOf(process.versions.node)
  const cli = existsSync(own) ? own : process.env['npm_execpath']
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]]
  const text = execFileSync(command, [...first, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(text) as Sbom
}

const manifestOf = (workspace: string) =>
  JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as Manifest

/** References of all components of the product. */
function reachable({ components, dependencies }: Sbom): ReadonlySet<string> {
  const dependsOn = new Map(dependencies.map((entry) => [entry.ref, entry.dependsOn]))
  const known = new Set(components.map((component) => component['bom-ref']))
  const manifests = shipped.map(manifestOf)
  const workspaces = new Map(manifests.map((manifest) => [`${manifest.name}@${manifest.version}`, manifest]))
  const found = new Set<string>()
  const waiting = [...workspaces.keys()]
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (found.has(ref) || !known.has(ref)) continue
    found.add(ref)
    const workspace = workspaces.get(ref)
    const needed = (dependsOn.get(ref) ?? []).filter((on) => !buildTools.test(nameIn(on)))
    waiting.push(...needed.filter((on) => workspace === undefined || isBuiltIn(workspace, nameIn(on))))
  }
  return found
}

/** `name@version`, where a name may begin with `@`. */
const nameIn = (ref: string) => ref.slice(0, ref.indexOf('@', 1))

/** The dependencies of the web application are development dependencies, because it is served as built files. */
function isBuiltIn({ name, dependencies = {}, devDependencies = {} }: Manifest, needed: string): boolean {
  return needed in dependencies || (name === '@svc/webapp' && needed in devDependencies)
}

/** A UUID of a text: version 8, whose bits are free (RFC 9562, section 5.8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function nodeComponent({ path, version }: PackagedNode): Component {
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(readFileSync(path)).digest('hex') }],
    licenses: [{ license: { id: 'MIT' } }],
  }
}
