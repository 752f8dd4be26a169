import { lacking, type Package } from '../tests/programs.ts'

const swift = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'] as const

/** Debian packages that a server needs. */
const needs = {
  postgres: ['postgresql'],
  mysql: ['mariadb-server'],
  radosgw: ['ceph-mon', 'ceph-osd', 'radosgw'],
  swift,
  keystone: [...swift, 'python3-keystone', 'python3-keystonemiddleware'],
  nginx: ['nginx-light'],
} as const satisfies Record<string, readonly Package[]>

export type TestServerKind = keyof typeof needs
/** Those that keep something; nginx stands in front of others. */
export type StoreKind = Exclude<TestServerKind, 'nginx'>
export type DatabaseKind = 'postgres' | 'mysql'

export const storeKinds: readonly StoreKind[] = ['postgres', 'mysql', 'radosgw', 'swift', 'keystone']

/** Why there can be no such server here; null when there can. */
export const whyNot = (kind: TestServerKind): string | null => lacking(...needs[kind])
