import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { folderOrder } from './scripts/folder-order.mjs'

/** What each package imports of the others, as ARCHITECTURE.md draws it. Only tests outside `src/` import more. */
const packages = {
  contract: [],
  assembler: [],
  terminal: [],
  sdk: ['contract', 'encryption'],
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
 * Rules for the folders of a package: a folder may import those before it. Files beside the folders may import all of them, and
 * no folder imports such a file.
 * @param exempt files that every folder may import
 */
function folders(name, ordered, exempt) {
  const present = readdirSync(resolve(import.meta.dirname, name, 'src'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && /(?<![.]test)[.](?:ts|vue)$/.test(entry.name))
    .map(({ parentPath }) => parentPath.slice(resolve(import.meta.dirname, name, 'src').length + 1))
  const unknown = present.filter((folder) => folder !== '' && !ordered.includes(folder))
  if (unknown.length > 0)
    throw new Error(`${name}: scripts/folder-order.mjs has no place for ${unknown.join(', ')}`)
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
const exempt = { server: '^server/src/core/service[.]ts$' }

const insidePackages = Object.entries(folderOrder).flatMap(([name, ordered]) =>
  folders(name, ordered, exempt[name]),
)

export default {
  forbidden: [
    ...betweenPackages,
    ...selfContained,
    ...insidePackages,
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
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.vue', '.js', '.mjs'],
    },
  },
}
