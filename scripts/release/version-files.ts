import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup/runtime.mjs'

/** The parts of a package file, and of a package in the lock, that have versions of this project's packages. */
interface Package {
  version?: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}
interface Lock extends Package {
  readonly packages: Readonly<Record<string, Package>>
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readPackage = (path: string) => JSON.parse(read(path)) as Package
const writeJson = (path: string, file: object) =>
  writeFileSync(join(root, path), `${JSON.stringify(file, null, 2)}\n`)

const currentVersion = (): string => readPackage('package.json').version ?? ''

/** Texts that name the current version: commands to copy, and what the chart installs. Examples of a newer version are `VERSION`. */
const texts = ['README.md', 'docs/**/*.md', 'deploy/chart/Chart.yaml']

/** A sentence of the README until the first release. */
const unreleased = 'Svc has no release yet.'

/**
 * Replaces the current version by another one in the packages, their lock, the chart and the documentation.
 * @returns the paths of the written files, from the root
 */
export function writeVersion(version: string): readonly string[] {
  const current = currentVersion()
  const folders = ['', ...(readPackage('package.json').workspaces ?? [])]
  const packages = folders.map((folder) => join(folder, 'package.json'))
  for (const path of packages) {
    const file = readPackage(path)
    setVersion(file, version)
    writeJson(path, file)
  }
  const lock = JSON.parse(read('package-lock.json')) as Lock
  setVersion(lock, version)
  for (const folder of folders) setVersion(lock.packages[folder] ?? {}, version)
  writeJson('package-lock.json', lock)

  const whole = new RegExp(`(?<=(?<![\\w.])v?)${current.replaceAll('.', '\\.')}(?![\\w]|\\.\\d)`, 'g')
  const named = globSync(texts, { cwd: root }).filter((path) => {
    const text = read(path)
    // The name of a Debian package has an underscore before the version and after it.
    const changed = text
      .replace(whole, version)
      .replaceAll(`_${current}_`, `_${version}_`)
      .replace(unreleased, `This is version ${version} ([changes](changelog/)).`)
    if (changed !== text) writeFileSync(join(root, path), changed)
    return changed !== text
  })
  return [...packages, 'package-lock.json', ...named]
}

function setVersion(file: Package, version: string): void {
  file.version = version
  for (const dependencies of [file.dependencies, file.devDependencies])
    for (const name of Object.keys(dependencies ?? {}))
      if (name.startsWith('@svc/') && dependencies !== undefined) dependencies[name] = version
}
