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
import { unpack } from './unpack.ts'

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

const folder = unpacked()
enableCompileCache(join(folder, 'compile-cache'))
createRequire(join(folder, startModule))(`./${startModule}`)

function unpacked(): string {
  try {
    return unpack(join(userCache(), 'svcd'), hash, { sizes, read: (path) => getRawAsset(path) })
  } catch (error) {
    const variable = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'
    const { message } = error as Error
    process.stderr.write(
      `svcd: cannot unpack: ${message}. Set ${variable} to a folder that svcd can write.\n`,
    )
    process.exit(1)
  }
}
