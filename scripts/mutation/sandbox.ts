import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../setup/runtime.mjs'

/** What tests read, and git ignores. */
const builds = ['webapp/dist', 'server/dist', 'clients']

/**
 * Copies the checkout as it is now into a temporary folder, so that mutants never touch the checkout. Packages of npm are links;
 * the workspaces are the copies.
 * @returns the folder, which the caller removes
 */
export function createSandbox(): string {
  const sandbox = mkdtempSync(join(tmpdir(), 'svc-mutate-'))
  for (const file of sourceFiles()) cpSync(join(root, file), join(sandbox, file))
  for (const path of builds) link(path, sandbox)
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isDirectory()) link(`${entry.name}/node_modules`, sandbox)
  linkPackages(sandbox)
  return sandbox
}

/** Tracked and new files; not those that are deleted but still tracked. */
const sourceFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))

function linkPackages(sandbox: string): void {
  mkdirSync(join(sandbox, 'node_modules/@svc'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules/@svc')))
    symlinkSync(join(sandbox, name), join(sandbox, 'node_modules/@svc', name), 'junction')
  for (const name of readdirSync(join(root, 'node_modules')))
    // Caches stay in the sandbox.
    if (name === '.bin' || !/^(?:[.]|@svc$)/.test(name)) link(`node_modules/${name}`, sandbox)
}

function link(path: string, sandbox: string): void {
  if (!existsSync(join(root, path))) return
  mkdirSync(dirname(join(sandbox, path)), { recursive: true })
  symlinkSync(join(root, path), join(sandbox, path), 'junction')
}
