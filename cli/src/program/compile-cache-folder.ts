import { lstatSync, mkdirSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The user's folder for caches of a system. As the XDG specification says, relative paths in the environment are ignored. */
export function userCache(): string {
  const { env, platform } = process
  const named = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME']
  if (named !== undefined && isAbsolute(named)) return named
  return join(home(), ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']))
}

/** `HOME` may be empty. */
function home(): string {
  const named = homedir()
  return isAbsolute(named) ? named : userInfo().homedir
}

/**
 * The folder for what Node has compiled of svc, which is created.
 * @returns undefined where it cannot be used, and where the user has chosen a folder or none
 */
export function compileCacheFolder(): string | undefined {
  const { NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE: disabled } = process.env
  if (chosen !== undefined || disabled !== undefined) return undefined
  try {
    const folder = join(userCache(), 'svc', 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOwn(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** Whether no other user can put a program into the folder: with sudo, the home may be that of another user. */
export function isOwn(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0)
}
