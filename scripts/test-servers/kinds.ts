import { missingPrograms, type Package } from '../tests/programs.ts'

const swift = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'] as const

/** Debian packages of each kind of server. */
const needs = {
  postgres: ['postgresql'],
  mysql: ['mariadb-server'],
  radosgw: ['ceph-mon', 'ceph-osd', 'radosgw'],
  swift,
  keystone: [...swift, 'python3-keystone', 'python3-keystonemiddleware'],
  nginx: ['nginx-light'],
} as const satisfies Record<string, readonly Package[]>

export type TestServerKind = keyof typeof needs
/** Servers that store data. nginx is a proxy in front of others. */
export type StoreKind = Exclude<TestServerKind, 'nginx'>
export type DatabaseKind = 'postgres' | 'mysql'

export const storeKinds: readonly StoreKind[] = ['postgres', 'mysql', 'radosgw', 'swift', 'keystone']

/** The reason why a kind of server cannot start here; null if it can. */
export const missingProgramsOf = (kind: TestServerKind): string | null => missingPrograms(...needs[kind])
