import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** What each package imports of the others, as ARCHITECTURE.md draws it. Only tests outside `src/` import more. */
const packages = {
  contract: [],
  assembler: [],
  terminal: [],
  sdk: ['contract'],
  encryption: ['assembler'],
  server: ['contract', 'assembler', 'terminal'],
  webapp: ['contract', 'sdk', 'encryption', 'terminal'],
  cli: ['contract', 'sdk', 'encryption', 'terminal'],
  e2e: ['contract', 'sdk', 'encryption'],
  bench: ['contract', 'encryption', 'server', 'e2e'],
}

const betweenPackages = Object.entries(packages).map(([name, allowed]) => ({
  name: `${name}-imports-another-package`,
  from: { path: `^${name}/(src|bin)/` },
  to: { path: `^(${Object.keys(packages).join('|')})/`, pathNot: `^(${[name, ...allowed].join('|')})/` },
}))

/** Packages that import no file outside: no package of npm, no module of Node. So they run everywhere, and all others may use them. */
const selfContained = [
  { name: 'assembler', from: { path: '^assembler/src' } },
  {
    name: 'terminal',
    from: { path: '^terminal/src', pathNot: '([.]test[.]ts$|^terminal/src/process[.]ts$)' },
  },
].map(({ name, from }) => ({
  name: `${name}-is-self-contained`,
  from,
  to: { path: `^(?!${name}/)` },
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
    'domain/collections',
    'domain',
    'domain/access',
    'domain/files',
    'domain/limits',
    'config/values',
    'config/options',
    'config/sources',
    'config/checks',
    'config',
    'platform',
    'qr',
    'auth',
    'auth/providers',
    'outgoing/push',
    'outgoing',
    'metadata/dialects',
    'metadata/dialects/sqlite',
    'metadata/query',
    'metadata/accounts',
    'metadata/files',
    'metadata/requests',
    'metadata/stats',
    'metadata/uploads',
    'metadata/notifications',
    'metadata/migrations',
    'metadata',
    'data/backend',
    'io',
    'io/md5',
    'io/hash',
    'io/receive',
    'io/send',
    'data/streams',
    'data/file/disk',
    'data/file/small-files',
    'data/file/unlink',
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
    'core/space',
    'core/cluster',
    'core/activity',
    'core/downloads',
    'core/archive',
    'core/removal',
    'core/accounts',
    'core/notifications/email',
    'core/notifications',
    'core/uploads',
    'core/requests',
    'core/resumable',
    'core/streams',
    'core/cleanup',
    'core/status',
    'core/verify',
    'core',
    'export',
    'import/plik',
    'http/request',
    'http/steps',
    'http/connections',
    'http/response',
    'http/downloads',
    'http/resumable',
    'http/handlers',
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
  'ui/form',
  'ui/copy',
  'ui/file',
  'ui/html',
  'thumbnails',
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
  'sent/store',
  'sent',
  'upload/files',
  'upload/options',
  'upload/transfer',
  'upload',
  'download/key',
  'viewers/pdf',
  'viewers/text',
  'viewers',
  'download/files',
  'download/list',
  'download',
  'listing',
  'login',
  'cli-login',
  'clients',
  'requests/store',
  'requests/send',
  'requests/inbox',
  'requests/owner',
  'requests',
  'personal/account',
  'personal/tokens',
  'personal',
  'admin/users',
  'admin/daily',
  'admin',
  'app',
])

const cli = folders('cli', [
  'program',
  'errors',
  'interactive',
  'output',
  'arguments',
  'config',
  'transfer',
  'http',
  'links',
  'files',
  'addresses',
  'unfinished',
  'encryption',
  'sources',
  'extract',
  'upload',
  'foreign',
  'download',
  'requests',
  'watch',
  'update',
  'doctor',
  'documentation',
  'mcp',
  'commands',
])

const sdk = folders('sdk', ['errors', 'retry', 'source', 'http', 'resumable', 'api', 'download', 'queue'])

const contract = folders('contract', [
  'zip',
  'base',
  'file-names',
  'resources',
  'endpoints',
  'requests',
  'documentation',
])

const encryption = folders('encryption', [
  'base',
  'engine',
  'header',
  'stream',
  'names',
  'ssh',
  'plugin',
  'wasm',
  'browser',
  'node',
])

export default {
  forbidden: [
    ...betweenPackages,
    ...selfContained,
    ...server,
    ...webapp,
    ...cli,
    ...sdk,
    ...encryption,
    ...contract,
    { name: 'no-circular-imports', from: {}, to: { circular: true } },
    {
      name: 'no-imports-between-services',
      comment:
        'metadata, data, auth, outgoing and io stand beside each other; io alone may use the shapes of data.',
      from: { path: '^server/src/(metadata|data|auth|outgoing)/' },
      to: { path: '^server/src/(metadata|data|auth|io|outgoing)/', pathNot: '^server/src/$1/' },
    },
    {
      name: 'no-database-or-auth-in-io',
      from: { path: '^server/src/io/' },
      to: { path: '^server/src/(metadata|auth)/' },
    },
    {
      name: 'backends-only-in-composition',
      from: { path: '^server/src/', pathNot: '^server/src/(data/|metadata/|composition/)' },
      to: {
        path: '^server/src/(data/(?!backend/|instrumented)|metadata/(open-dialect|dialects/(?!instrumented|errors)))',
      },
    },
    {
      name: 'no-node-builtins-in-contract',
      from: { path: '^contract/src', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-folder-in-shared-encryption',
      from: { path: '^encryption/src', pathNot: '(^encryption/src/node/|[.]test[.]ts$)' },
      to: { path: '^encryption/src/node/' },
    },
    {
      name: 'no-node-builtins-in-encryption',
      from: { path: '^encryption/src', pathNot: '(^encryption/src/(node|plugin)/|[.]test[.]ts$)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-imports-of-tests',
      from: { pathNot: '([.]test[.]ts$|/test/|^e2e/)' },
      to: { path: '[.]test[.]ts$' },
    },
    {
      name: 'prom-client-only-in-metrics',
      from: { path: '^server/src/', pathNot: '^server/src/metrics/' },
      to: { path: 'node_modules/prom-client' },
    },
    {
      name: 'supervisor-stays-small',
      from: { path: '^server/src/(workers/|commands/serve-together)' },
      to: { path: '^server/src/(composition/(?!log)|http/|core/|metadata/|data/|auth/|io/)' },
    },
    { name: 'no-unresolved-imports', from: {}, to: { couldNotResolve: true } },
  ].map((rule) => ({ severity: 'error', ...rule })),
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
