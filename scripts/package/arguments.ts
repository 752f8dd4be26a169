import { parseArgs } from 'node:util'
import { chosen, targetsOf } from '../bundle/executable-plan.ts'
import { packages } from '../setup/runtime.mjs'
import { thisSystem } from './product.ts'

export const usage = `npm run package                               everything that this machine can make, into dist/: the folder svcd, npm
                                              packages, a Debian package (with dpkg-deb), and checksums of the packages
npm run package -- FOLDER                     the folder only
npm run package -- --system linux-arm64       with the Node of another system; several times for several systems
npm run package -- --executable windows-x64   also server and client with Node included, as one file each; several times`

export interface PackageArguments {
  /** To be made alone. */
  readonly folder: string | undefined
  readonly systems: readonly string[]
  /** Names of targets. */
  readonly executables: readonly string[]
}

/**
 * @param host `process.platform`
 * @throws Error for an unknown option, and for a system or an executable that this machine cannot package
 */
export function packageArguments(args: readonly string[], host: NodeJS.Platform): PackageArguments | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      system: { type: 'string', multiple: true, default: [thisSystem] },
      executable: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return 'help'
  const known = [...new Set([thisSystem, ...Object.keys(packages)])]
  const unknown = values.system.find((system) => !known.includes(system))
  if (unknown !== undefined) throw new Error(`there is no system ${unknown}; there are ${known.join(', ')}`)
  if (positionals.length > 1) throw new Error(`there is one FOLDER, not ${String(positionals.length)}`)
  chosen(targetsOf(packages), values.executable, host)
  return { folder: positionals[0], systems: values.system, executables: values.executable }
}
