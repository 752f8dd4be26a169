import { spawn } from 'node:child_process'
import type { Program } from '../program/program.ts'

/** The program that opens an address on this system, or that of `BROWSER`. */
function openerOf({ environment, platform }: Program): readonly string[] {
  const named = environment['BROWSER']
  if (named !== undefined && named !== '') return [named]
  if (platform === 'darwin') return ['open']
  // Without a shell, because `start` would interpret `&` in an address.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}

/**
 * Opens an address in the user's browser.
 * @returns whether there is one
 */
export function openBrowser(program: Program, url: string): Promise<boolean> {
  const [command = '', ...args] = openerOf(program)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => {
      resolve(false)
    })
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
