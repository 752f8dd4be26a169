import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseRuntime } from '../setup/install-runtime.mjs'
import { runNpm } from '../setup/npm.mjs'
import { oneAtATime } from '../setup/one-at-a-time.mjs'
import { runtimes } from '../setup/runtime.mjs'

const folder = import.meta.dirname
const installedLock = join(folder, 'node_modules', '.installed-lock')

/** Installs the packages of this folder's lock file at the first use, and when the lock file has changed. */
export async function installStryker(): Promise<void> {
  const text = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const lock = createHash('sha256').update(text).digest('hex')
  const isInstalled = () => existsSync(installedLock) && readFileSync(installedLock, 'utf8') === lock
  if (isInstalled()) return
  await oneAtATime(join(runtimes, 'set-up-mutation'), async () => {
    if (isInstalled()) return
    const { packages } = JSON.parse(text) as { readonly packages: object }
    const { node, npm } = await chooseRuntime()
    await runNpm(['ci', '--include=dev', '--ignore-scripts'], {
      folder,
      what: 'Installing the mutation tester',
      total: Object.keys(packages).length,
      ...(npm !== undefined && { runtime: { node, npm } }),
    })
    writeFileSync(installedLock, lock)
  })
}
