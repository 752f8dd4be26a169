/** Programs and data that only the tests of deployments use: a proxy, a newer Podman Compose than that of Debian, and schemas. */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PythonEnvironment } from './python-environment.ts'
import { toolCache } from './tool-cache.ts'

const requirements = join(import.meta.dirname, '../../server/test/install/tools/requirements.txt')
/** Clones with other requirements have other environments. */
const version = hash('sha256', readFileSync(requirements)).slice(0, 12)
const environment = new PythonEnvironment(join(toolCache, `deployment-${version}`), requirements)

export const podmanCompose = environment.program('podman-compose')
export const traefik = environment.program('traefik')

/** The folder with the JSON schemas of Kubernetes, in one folder for each version such as `v1.31.0-local`. */
export const kubernetesSchemas = (): string => folderOf('kubernetes_validate/kubernetes-json-schema')

/** The folder with JSON schemas of GitHub's workflows, GitLab's pipelines, compose files and others. */
export const fileSchemas = (): string => folderOf('check_jsonschema/builtin_schemas/vendor')

function folderOf(path: string): string {
  const [folder] = globSync(`lib/python3*/site-packages/${path}`, { cwd: environment.folder })
  if (folder === undefined) throw new Error(`${path} is not installed`)
  return join(environment.folder, folder)
}

/** Why the tests with them are skipped; null when they are installed. */
export const deploymentToolsSkipReason: string | null = environment.isInstalled
  ? null
  : 'Podman Compose, Traefik and schemas of deployments (npm test installs them, with python3-venv and a package index)'

/**
 * Installs them, unless they are there.
 * @returns the error; null after success
 */
export const installDeploymentTools = (): string | null => environment.install()
