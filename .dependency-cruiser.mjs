import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** The arrows of ARCHITECTURE.md: a layer may import those before it in this list, never one after it. */
const layers = [
  { name: 'contract', path: '^contract/src' },
  { name: 'config', path: '^server/src/config/' },
  { name: 'domain', path: '^server/src/domain/' },
  { name: 'platform', path: '^server/src/platform/' },
  { name: 'services', path: '^server/src/(metadata|data|auth|io|qr)/' },
  { name: 'core', path: '^server/src/core/' },
  { name: 'admin', path: '^server/src/admin/' },
  { name: 'http', path: '^server/src/http/' },
  { name: 'check', path: '^server/src/check/' },
  { name: 'metrics', path: '^server/src/metrics/' },
  { name: 'workers', path: '^server/src/workers/' },
  { name: 'server', path: '^server/src/composition/' },
  { name: 'commands', path: '^server/src/(commands/|main[.]ts$)' },
]

const downwards = layers.slice(0, -1).map((layer, index) => ({
  name: `${layer.name}-imports-upwards`,
  severity: 'error',
  from: { path: layer.path },
  to: { path: layers.slice(index + 1).map((above) => above.path) },
}))

/**
 * The folders of a package in the order of their imports: a folder may import those before it. Files beside the folders may
 * import all of them, and no folder imports such a file.
 * @param exempt files that every folder may import
 */
function folders(name, ordered, { exempt } = {}) {
  const present = readdirSync(resolve(import.meta.dirname, name, 'src'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && /(?<![.]test)[.](?:ts|vue)$/.test(entry.name))
    .map(({ parentPath }) => parentPath.slice(resolve(import.meta.dirname, name, 'src').length + 1))
  const unknown = present.filter((folder) => folder !== '' && !ordered.includes(folder))
  if (unknown.length > 0)
    throw new Error(`${name}: .dependency-cruiser.mjs has no place for ${unknown.join(', ')}`)
  const path = (folder) => `^${name}/src/${folder}/[^/]+$`
  return ordered.map((folder, index) => ({
    name: `${name}-${folder.replaceAll('/', '-')}-imports-upwards`,
    severity: 'error',
    from: { path: path(folder), pathNot: '[.]test[.]ts$' },
    to: {
      path: [...ordered.slice(index + 1).map(path), `^${name}/src/[^/]+$`],
      ...(exempt !== undefined && { pathNot: exempt }),
    },
  }))
}

/** `core/service.ts` lists the types of the parts, which stand in the folders that use it. */
const server = folders(
  'server',
  [
    'config/values',
    'domain',
    'domain/access',
    'domain/files',
    'domain/limits',
    'config/options',
    'config/sources',
    'config/checks',
    'config',
    'platform',
    'qr',
    'auth',
    'auth/providers',
    'metadata/dialects',
    'metadata/dialects/sqlite',
    'metadata/query',
    'metadata/accounts',
    'metadata/files',
    'metadata/stats',
    'metadata/uploads',
    'metadata/migrations',
    'metadata',
    'data/backend',
    'io',
    'io/md5',
    'io/hash',
    'io/receive',
    'io/send',
    'data/streams',
    'data/file',
    'data/memory',
    'data/network',
    'data/network/parts',
    'data/gcs',
    'data/s3/client',
    'data/s3/objects',
    'data/s3/resumable',
    'data/s3',
    'data/swift',
    'data',
    'core/data-store',
    'core/stats',
    'core/limits',
    'core/cluster',
    'core/downloads',
    'core/archive',
    'core/removal',
    'core/accounts',
    'core/uploads',
    'core/resumable',
    'core/streams',
    'core/cleanup',
    'core/status',
    'core/verify',
    'core',
    'admin',
    'http/chain',
    'http/request',
    'http/steps',
    'http/connections',
    'http/response',
    'http/downloads',
    'http/resumable',
    'http/tus',
    'http/handlers',
    'http/relay',
    'http',
    'check',
    'metrics',
    'workers',
    'composition',
    'commands/base',
    'commands/terminal',
    'commands/token',
    'commands/upload',
    'commands/user',
    'commands',
  ],
  { exempt: '^server/src/core/service[.]ts$' },
)

const webapp = folders('webapp', [
  'base',
  'i18n',
  'settings',
  'service-worker',
  'ui',
  'ui/dialog',
  'ui/copy',
  'ui/form',
  'ui/file',
  'ui/html',
  'code',
  'errors',
  'upload/draft',
  'session',
  'api',
  'account',
  'encryption',
  'decrypted/zip',
  'decrypted/worker',
  'decrypted',
  'upload/files',
  'upload/options',
  'upload/transfer',
  'upload',
  'download/key',
  'viewers/pdf',
  'viewers',
  'download',
  'listing',
  'login',
  'cli-login',
  'clients',
  'personal/account',
  'personal/tokens',
  'personal',
  'admin/users',
  'admin/daily',
  'admin',
  'app',
])

const cli = folders('cli', [
  'core',
  'terminal',
  'output',
  'arguments',
  'config',
  'http',
  'transfer',
  'links',
  'files',
  'encryption',
  'extract',
  'upload',
  'download',
  'update',
  'documentation',
  'mcp',
  'commands',
])

const sdk = folders('sdk', ['core', 'source', 'http', 'resumable', 'api', 'download', 'queue'])

const encryption = folders('encryption', [
  'base',
  'engine',
  'header',
  'stream',
  'ssh',
  'wasm',
  'browser',
  'node',
])

export default {
  forbidden: [
    ...downwards,
    ...server,
    ...webapp,
    ...cli,
    ...sdk,
    ...encryption,
    { name: 'circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'services-know-each-other',
      comment: 'metadata, data, auth and io stand beside each other; io alone may use the shapes of data.',
      severity: 'error',
      from: { path: '^server/src/(metadata|data|auth)/' },
      to: { path: '^server/src/(metadata|data|auth|io)/', pathNot: '^server/src/$1/' },
    },
    {
      name: 'io-knows-backends',
      severity: 'error',
      from: { path: '^server/src/io/' },
      to: { path: '^server/src/(metadata|auth)/' },
    },
    {
      name: 'backends-are-picked-in-one-place',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(data/|metadata/|composition/)' },
      to: {
        path: '^server/src/(data/(?!backend/|instrumented)|metadata/(open-dialect|dialects/(?!instrumented|errors)))',
      },
    },
    {
      name: 'contract-knows-no-environment',
      severity: 'error',
      from: { path: '^contract/src', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'assembler-knows-no-other-part',
      severity: 'error',
      from: { path: '^assembler/src' },
      to: { path: '^(?!assembler/)' },
    },
    {
      name: 'terminal-knows-no-other-part',
      severity: 'error',
      from: { path: '^terminal/src', pathNot: '([.]test[.]ts$|^terminal/src/process[.]ts$)' },
      to: { path: '^(?!terminal/)' },
    },
    {
      name: 'sdk-knows-only-the-contract',
      severity: 'error',
      from: { path: '^sdk/src', pathNot: '[.]test[.]ts$' },
      to: { path: '^(server|webapp|cli|e2e|bench)/' },
    },
    {
      name: 'encryption-knows-no-other-part',
      severity: 'error',
      from: { path: '^encryption/src' },
      to: { path: '^(contract|sdk|server|webapp|cli|e2e|bench)/' },
    },
    {
      name: 'encryption-knows-its-environment-in-one-place',
      severity: 'error',
      from: { path: '^encryption/src', pathNot: '(^encryption/src/node/|[.]test[.]ts$)' },
      to: { path: '^encryption/src/node/' },
    },
    {
      name: 'encryption-is-for-browsers-too',
      severity: 'error',
      from: { path: '^encryption/src', pathNot: '(^encryption/src/node/|[.]test[.]ts$)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'webapp-knows-no-server',
      severity: 'error',
      from: { path: '^webapp/src' },
      to: { path: '^(server|cli|e2e|bench)/' },
    },
    {
      name: 'cli-knows-neither-server-nor-webapp',
      severity: 'error',
      from: { path: '^cli/(src|bin)' },
      to: { path: '^(server|webapp|e2e|bench)/' },
    },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { pathNot: '([.]test[.]ts$|/test/|^e2e/)' },
      to: { path: '[.]test[.]ts$' },
    },
    {
      name: 'who-measures-is-known-to-one-place',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/metrics/' },
      to: { path: 'node_modules/prom-client' },
    },
    {
      name: 'who-looks-after-workers-stays-small',
      severity: 'error',
      from: { path: '^server/src/(workers/|commands/serve-together)' },
      to: { path: '^server/src/(composition/(?!log)|http/|core/|metadata/|data/|auth/|io/)' },
    },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.vue', '.js', '.mjs'],
    },
  },
}
