import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmOf, root } from './setup/runtime.mjs'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly [property: string]: unknown
}

/** A software bill of materials in CycloneDX's JSON format, as far as it is changed here. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** What is packaged: these are built into it, with all that they depend on. */
const shipped = ['server', 'cli', 'webapp', 'sdk', 'encryption', 'contract', 'assembler', 'terminal']

/** Build tools that the web application or a package names, as a peer for example: nothing of them is in the product. */
const buildTools = /^(?:vite|rolldown|typescript|vue-tsc|@vitejs\/.*|@intlify\/unplugin-.*|@types\/.*)$/

/**
 * The bill of materials of the packaged product: its packages as npm describes them, and its Node.
 * @param node path of the Node that is packaged
 */
export function sbomOf(node: string): Sbom {
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
  return {
    ...all,
    metadata: { ...all.metadata, component: product },
    components: components.filter((component) => component['bom-ref'] !== product['bom-ref']),
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  }
}

/** Everything in the lock file. (`--omit=dev` would leave packages out that are in use both ways.) */
function askNpm(): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  // The project's own comes first: an old npm of the system that called this has no such command.
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

/** References of all components that the product is built of. */
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

/** The web application is built of what it names as needed for development only: it is served as files. */
function isBuiltIn({ name, dependencies = {}, devDependencies = {} }: Manifest, needed: string): boolean {
  return needed in dependencies || (name === '@svc/webapp' && needed in devDependencies)
}

function nodeComponent(path: string): Component {
  const version = process.versions.node
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
