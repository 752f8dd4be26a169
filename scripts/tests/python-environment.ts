import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Python programs without a package of Debian, in a virtual environment. */
export class PythonEnvironment {
  readonly folder: string
  /** A file that names every package with its version. */
  readonly #requirements: string
  /** Written when everything is installed. */
  readonly #installed: string

  constructor(folder: string, requirements: string) {
    this.folder = folder
    this.#requirements = requirements
    this.#installed = join(folder, 'requirements.txt')
  }

  /** The path of a program. */
  program(name: string): string {
    return join(this.folder, 'bin', name)
  }

  get isInstalled(): boolean {
    return (
      existsSync(this.#installed) &&
      readFileSync(this.#installed, 'utf8') === readFileSync(this.#requirements, 'utf8')
    )
  }

  /**
   * Installs the packages, unless they are there.
   * @returns the error; null after success
   */
  install(): string | null {
    if (this.isInstalled) return null
    rmSync(this.folder, { recursive: true, force: true })
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps']
    const commands: readonly [string, ...string[]][] = [
      ['python3', '-m', 'venv', this.folder],
      [this.program('pip'), 'install', ...options, '--requirement', this.#requirements],
    ]
    for (const [command, ...args] of commands) {
      const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
      if (status === 0) continue
      const [line = ''] = stderr.trim().split('\n').slice(-1)
      // Without its package python3-venv, Python writes nothing to standard error.
      return error?.message ?? (line === '' ? `python3-venv is missing, or ${command} failed` : line)
    }
    copyFileSync(this.#requirements, this.#installed)
    return null
  }
}
