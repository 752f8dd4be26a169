import type { Program } from '../program/program.ts'

type Environment = Program['environment']

const isProxy = (name: string) => /^https?_proxy$/i.test(name)

/** Whether a proxy is set for an address. Which hosts are left out is for Node's client to say (NO_PROXY). */
export function mayGoByProxy({ protocol }: URL, environment: Environment): boolean {
  const name = protocol.replace(':', '_proxy')
  return [name, name.toUpperCase()].some((variable) => (environment[variable] ?? '') !== '')
}

/** The environment as Node's client takes it: it passes over a proxy that is written `HOST:PORT`, as curl takes it, too. */
export const forNodesProxies = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value && isProxy(name) && !value.includes('://') ? `http://${value}` : value,
    ]),
  )
