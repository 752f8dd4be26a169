import type { Program } from '../program.ts'

/** Whether a proxy is set for an address. Which hosts are left out is for Node's client to say (NO_PROXY). */
export function mayGoByProxy({ protocol }: URL, environment: Program['environment']): boolean {
  const name = protocol.replace(':', '_proxy')
  return [name, name.toUpperCase()].some((variable) => (environment[variable] ?? '') !== '')
}
