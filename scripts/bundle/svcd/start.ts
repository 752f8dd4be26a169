/**
 * The beginning of an executable of the server: unpacks the product that the executable contains, at its first start, and runs
 * it in this process. The files of the product find each other by paths, and Node cannot import modules from an executable.
 */
import cluster from 'node:cluster'
import { createRequire, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { userCache } from '../../../cli/src/program/compile-cache-folder.ts'
import { settingsAsset, startModule, type Settings } from './contents.ts'
import { repair, unpack } from './unpack.ts'

const { hash, sizes, environment } = JSON.parse(getAsset(settingsAsset, 'utf8')) as Settings
const missing = Object.entries(environment).filter(([name]) => process.env[name] === undefined)
// The C library reads them when the process starts. Windows does not have these variables, nor `execve`.
if (missing.length > 0 && process.platform !== 'win32' && process.execve !== undefined) {
  process.removeAllListeners('warning') // users need no warning that execve is experimental
  process.execve(process.execPath, process.argv.slice(1), { ...process.env, ...Object.fromEntries(missing) })
}

// Node passes the path of the main module to a worker of `Workers`, which is here the executable.
if (cluster.isPrimary) cluster.setupPrimary({ execArgv: [] })
else process.argv.splice(1, 1)

/** The end of messages. */
const whatToSet = `Set ${process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'} to a folder that svcd can write`

/** The interval at which a server looks for deleted files, in milliseconds: tools clean caches, and threads and pages load files later. */
const checkInterval = 10_000

const files = { sizes, read: (path: string) => getRawAsset(path) }
const cache = cacheFolder()
const folder = join(cache, hash)
try {
  unpack(cache, hash, files)
} catch (error) {
  end(`cannot unpack: ${messageOf(error)}. ${whatToSet}`)
}
if (cluster.isPrimary) keepUnpacked()
enableCompileCache(join(folder, 'compile-cache'))
try {
  await (createRequire(join(folder, startModule))(`./${startModule}`) as Promise<unknown>)
} catch (error) {
  // A file can have other bytes of the same number. To compare all at each start would take too long.
  if (repaired() === 0) throw error
  end(`files in ${folder} were damaged, and have been written again. Start svcd again`)
}

function cacheFolder(): string {
  try {
    return join(userCache(), 'svcd')
  } catch (error) {
    end(`cannot unpack: ${messageOf(error)}. ${whatToSet}`)
  }
}

/** The number of files that were damaged and are not any more. */
function repaired(): number {
  try {
    return repair(cache, hash, files)
  } catch (error) {
    end(`files in ${folder} are damaged, and cannot be written: ${messageOf(error)}. Delete the folder`)
  }
}

function keepUnpacked(): void {
  let hasFailed = false
  const check = () => {
    try {
      const written = unpack(cache, hash, files)
      if (written > 0)
        report(`${String(written)} files in ${folder} were deleted, and have been written again`)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) report(`files in ${folder} were deleted, and cannot be written: ${messageOf(error)}`)
      hasFailed = true
    }
  }
  setInterval(check, checkInterval).unref()
}

function report(message: string): void {
  process.stderr.write(`svcd: ${message}.\n`)
}

function end(message: string): never {
  report(message)
  process.exit(1)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
