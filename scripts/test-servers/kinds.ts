import { globSync } from 'node:fs'

const swift = {
  'swift-proxy': '/usr/bin/swift-proxy-server',
  'swift-account': '/usr/bin/swift-account-server',
  'swift-container': '/usr/bin/swift-container-server',
  'swift-object': '/usr/bin/swift-object-server',
  memcached: '/usr/bin/memcached',
} as const

/** Programs that a server needs, by the Debian package that brings each; a pattern stands for any version. */
const programs = {
  postgres: { postgresql: '/usr/lib/postgresql/*/bin/initdb' },
  mysql: { 'mariadb-server': '/usr/bin/mariadb-install-db' },
  radosgw: {
    'ceph-mon': '/usr/bin/ceph-mon',
    'ceph-osd': '/usr/bin/ceph-osd',
    radosgw: '/usr/bin/radosgw',
  },
  swift,
  keystone: {
    ...swift,
    'python3-keystone': '/usr/bin/keystone-wsgi-public',
    'python3-keystonemiddleware': '/usr/lib/python3/dist-packages/keystonemiddleware/auth_token',
  },
} as const satisfies Record<string, Record<string, string>>

export type TestServerKind = keyof typeof programs
export type DatabaseKind = 'postgres' | 'mysql'

export const testServerKinds = Object.keys(programs) as readonly TestServerKind[]

/** Why there can be no such server here; null when there can. */
export function whyNot(kind: TestServerKind): string | null {
  const missing = Object.entries(programs[kind])
    .filter(([, program]) => globSync(program).length === 0)
    .map(([package_]) => package_)
  return missing.length === 0 ? null : `${missing.join(', ')} not installed`
}
