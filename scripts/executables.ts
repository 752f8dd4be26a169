import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chosen, seaConfig, targetsOf, type Target } from './executable-plan.ts'
import { packages, pinnedNode, root } from './pinned-node.mjs'

const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }

/**
 * Makes executables that bring their Node, for other systems too: `clients/OS-ARCH/svc[.exe]`. The Node of another
 * system comes from npm, and is of the very version that runs here, as both must be the same.
 * @param bundle the program as one file
 * @param asked names of systems; none for all that can be made here
 */
export function makeExecutables(bundle: string, asked: readonly string[]): void {
  const node = pinnedNode()
  if (node === undefined) throw new Error('the pinned Node is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'svc-executables-'))
  try {
    for (const target of chosen(targetsOf(packages), asked, process.platform)) {
      const output = join(dirname(bundle), target.file)
      mkdirSync(dirname(output), { recursive: true })
      const config = join(folder, `${target.name}.json`)
      writeFileSync(config, JSON.stringify(seaConfig(bundle, nodeOf(target, folder), output)))
      execFileSync(node, ['--build-sea', config], quiet)
      if (target.signed) execFileSync('codesign', ['--force', '--sign', '-', output], quiet)
      chmodSync(output, 0o755)
      console.log(output)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Node of a system: from our own packages, or from npm. */
function nodeOf({ name, package: packageName, node }: Target, folder: string): string {
  const own = join(root, 'node_modules', packageName, node)
  if (existsSync(own)) return own
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>
  }
  const place = join(folder, name)
  mkdirSync(place)
  const version = optionalDependencies[packageName] ?? ''
  execFileSync('npm', ['pack', `${packageName}@${version}`, '--pack-destination', place, '--silent'], quiet)
  execFileSync('sh', ['-c', 'tar -xzf ./*.tgz'], { ...quiet, cwd: place })
  return join(place, 'package', node)
}
