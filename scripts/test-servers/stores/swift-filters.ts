/** The authentication of a Swift server. */
export interface SwiftIdentity {
  /** Names of the filters in order, including `s3api`. */
  readonly filters: readonly string[]
  /** Sections `[filter:…]` of the configuration. */
  readonly sections: string
}

/** Accounts in the configuration. memcached keeps the tokens. */
export const tempauth: SwiftIdentity = {
  filters: ['s3api', 'tempauth'],
  sections: `
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test2_tester2 = testing2 .admin
storage_url_scheme = http
token_life = 86400
`,
}

/** The pipeline of a proxy server, and the sections of its filters. */
export function proxyFilters({ filters, sections }: SwiftIdentity, cachePort: number): string {
  const pipeline = [
    ...['catch_errors', 'gatekeeper', 'healthcheck', 'cache', 'listing_formats', 'bulk', 'tempurl'],
    ...[
      ...filters,
      'copy',
      'container-quotas',
      'account-quotas',
      'slo',
      'dlo',
      'versioned_writes',
      'symlink',
    ],
    'proxy-server',
  ]
  const plain = {
    ...{ catch_errors: 'catch_errors', gatekeeper: 'gatekeeper', healthcheck: 'healthcheck' },
    ...{ listing_formats: 'listing_formats', bulk: 'bulk', tempurl: 'tempurl', copy: 'copy' },
    ...{ 'container-quotas': 'container_quotas', 'account-quotas': 'account_quotas' },
    ...{ slo: 'slo', dlo: 'dlo', symlink: 'symlink' },
  }
  const plainSections = Object.entries(plain).map(
    ([name, egg]) => `[filter:${name}]\nuse = egg:swift#${egg}\n`,
  )
  return `
[pipeline:main]
pipeline = ${pipeline.join(' ')}
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
conn_timeout = 5
node_timeout = 30
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
allow_multipart_uploads = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${String(cachePort)}
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
allow_object_versioning = true
${plainSections.join('')}${sections}`
}
