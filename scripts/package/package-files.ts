import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../setup/runtime.mjs'

const templates = join(root, 'deploy/packages')

export interface PublishedVersion {
  readonly version: string
  /** Address of the folder with the archives of this version. */
  readonly base: string
  readonly homepage: string
}

/** Templates that are only complete together: one folder has the files of winget. */
const groupOf = (template: string): string => {
  const folder = dirname(template)
  return folder === '.' ? template : folder
}

/**
 * Fills the files of Homebrew, Arch Linux, Nix and winget with a version and the checksums of its archives.
 * @param dist folder of the archives; the files are written into `package-files` in it
 * @returns paths of the written files, and the archives that are missing for others, which are left out
 */
export function writePackageFiles(
  dist: string,
  published: PublishedVersion,
): { readonly written: readonly string[]; readonly missing: readonly string[] } {
  const output = join(dist, 'package-files')
  // Those of another version are worse than none.
  rmSync(output, { recursive: true, force: true })
  const filled = globSync('**', { cwd: templates, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(templates.length + 1))
    .sort()
    .map((template) => ({
      template,
      ...fill(readFileSync(join(templates, template), 'utf8'), dist, published),
    }))
  const incomplete = new Set(
    filled.filter(({ missing }) => missing.length > 0).map(({ template }) => groupOf(template)),
  )
  const complete = filled.filter(({ template }) => !incomplete.has(groupOf(template)))
  for (const { template, text } of complete) {
    mkdirSync(dirname(join(output, template)), { recursive: true })
    writeFileSync(join(output, template), text)
  }
  return {
    written: complete.map(({ template }) => join(output, template)),
    missing: [...new Set(filled.flatMap(({ missing }) => missing))],
  }
}

function fill(template: string, dist: string, { version, base, homepage }: PublishedVersion) {
  const missing: string[] = []
  const text = template
    .replaceAll('@VERSION@', version)
    .replaceAll('@BASE@', base.replace(/\/$/, ''))
    .replaceAll('@HOMEPAGE@', homepage)
    .replaceAll(/@SHA256 ([^@\s]+)@/g, (_, name: string) => {
      const path = join(dist, name)
      if (existsSync(path)) return createHash('sha256').update(readFileSync(path)).digest('hex')
      missing.push(name)
      return ''
    })
  return { text, missing }
}
