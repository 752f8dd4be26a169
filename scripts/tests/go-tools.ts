/** Go programs that tests use and Debian has no package of. Their modules are compiled once per machine, where Go is installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { toolCache } from './tool-cache.ts'

interface GoTool {
  /** Name of the program for users. */
  readonly name: string
  readonly path: string
  readonly version: string
}

const tools = {
  helm: { name: 'Helm', path: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' },
  kubeconform: {
    name: 'kubeconform',
    path: 'github.com/yannh/kubeconform/cmd/kubeconform',
    version: 'v0.8.0',
  },
  actionlint: {
    name: 'actionlint',
    path: 'github.com/rhysd/actionlint/cmd/actionlint',
    version: 'v1.7.12',
  },
  // The version of deploy/compose/two-servers.yaml.
  versitygw: {
    name: 'versitygw',
    path: 'github.com/versity/versitygw/cmd/versitygw',
    version: 'v1.8.0',
  },
} as const satisfies Record<string, GoTool>

export type GoToolName = keyof typeof tools

const folderOf = (tool: GoToolName) => join(toolCache, `${tool}-${tools[tool].version}`)

/** The path of the program. */
export const goTool = (tool: GoToolName): string => join(folderOf(tool), tool)

const isBuilt = (tool: GoToolName) => existsSync(goTool(tool))

/** Why tests with these programs are skipped; null when all are built. */
export function missingGoTools(...needed: readonly GoToolName[]): string | null {
  const missing = needed.filter((tool) => !isBuilt(tool)).map((tool) => tools[tool].name)
  return missing.length === 0 ? null : `${missing.join(', ')} (SVC_TEST_GO=1 npm test builds them, with Go)`
}

/**
 * Builds the programs that are missing.
 * @returns the errors by their program; empty after success
 */
export function buildGoTools(): readonly string[] {
  const names = Object.keys(tools) as readonly GoToolName[]
  return names.filter((tool) => !isBuilt(tool)).flatMap((tool) => build(tool) ?? [])
}

function build(tool: GoToolName): string | null {
  const { name, path, version } = tools[tool]
  console.log(`Building ${name} ${version} for the tests`)
  // Go writes the program when it is complete.
  const settings = { GOBIN: folderOf(tool), CGO_ENABLED: '0', GOFLAGS: '' }
  const args = ['install', '-trimpath', '-ldflags=-s -w', `${path}@${version}`]
  const { status, stderr, error } = spawnSync('go', args, { encoding: 'utf8', env: { ...env, ...settings } })
  if (status === 0) return null
  return `${name}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? 'go failed'}`
}
