import type { Program } from '../program/program.ts'

type Environment = Program['environment']

const isProxy = (name: string) => /^https?_proxy$/i.test(name)

/** Whether a proxy is set for an address. Node excludes the hosts of `NO_PROXY`. */
export function mayGoByProxy({ protocol }: URL, environment: Environment): boolean {
  const name = protocol.replace(':', '_proxy')
  return [name, name.toUpperCase()].some((variable) => (environment[variable] ?? '') !== '')
}

/** The environment for Node, which ignores a proxy without a scheme. curl accepts one (`HOST:PORT`). */
export const proxyEnvironment = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value && isProxy(name) && !value.includes('://') ? `http://${value}` : value,
    ]),
  )
