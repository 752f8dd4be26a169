import { access, constants, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Failure, localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Installed } from '../program/program.ts'

/**
 * The real path of the program to replace.
 * @throws Failure when another program manages it, or it is not writable
 */
export async function requireReplaceablePath({ kind, path }: Installed): Promise<string> {
  const real = await realpath(path)
  if (real.split(sep).includes('node_modules'))
    throw new Failure(`${real} was installed with npm; update it with npm`)
  if (kind === 'bundle' && !real.endsWith('.mjs')) throw fromSources(real)
  if (await exists(join(dirname(real), '..', 'cli', 'src'))) throw fromSources(real)
  try {
    await access(dirname(real), constants.W_OK)
  } catch (error) {
    throw localFailure(`${dirname(real)}: ${errorMessage(error)}`, error)
  }
  return real
}

const fromSources = (path: string) =>
  new Failure(`${path} belongs to a source checkout; update the checkout instead`)

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
