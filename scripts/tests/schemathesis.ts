/** Schemathesis tests an API against its OpenAPI description. It is a Python program, and no package of Debian. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Every package with its version. */
const requirements = join(root, 'server/test/http/openapi/schemathesis/requirements.txt')
const environment = join(root, '.runtime/schemathesis')
const bin = join(environment, 'bin')
/** Written when everything is installed. */
const installed = join(environment, 'requirements.txt')

/** The path of the program. */
export const schemathesis = join(bin, 'schemathesis')

const isInstalled = (): boolean =>
  existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8')

/** Why the tests with it are skipped; null when it is installed. */
export const schemathesisSkipReason: string | null = isInstalled()
  ? null
  : 'Schemathesis (npm test installs it, with python3-venv and a package index)'

/**
 * Installs it in a virtual environment of Python, unless it is there.
 * @returns the error; null after success
 */
export function installSchemathesis(): string | null {
  if (isInstalled()) return null
  rmSync(environment, { recursive: true, force: true })
  const commands: readonly [string, ...string[]][] = [
    ['python3', '-m', 'venv', environment],
    [join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements],
  ]
  for (const [command, ...args] of commands) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
    if (status === 0) continue
    const [line = ''] = stderr.trim().split('\n').slice(-1)
    // Without its package python3-venv, Python writes nothing to standard error.
    return error?.message ?? (line === '' ? `python3-venv is missing, or ${command} failed` : line)
  }
  copyFileSync(requirements, installed)
  return null
}
