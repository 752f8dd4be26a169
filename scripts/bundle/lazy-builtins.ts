import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const prefix = '\0builtin:'

/**
 * Loads each module of Node at its first use instead of at the start of the bundle, because loading HTTP, TLS and others
 * takes longer than all that `svc --version` does.
 * @param options.requireCalls whether calls of `require` are replaced, too: for one-file executables, which have none
 */
export function lazyBuiltins({ requireCalls }: { readonly requireCalls: boolean }): Plugin {
  return {
    name: 'lazy-builtins',
    resolveId: (id, _importer, { kind }) =>
      isBuiltin(id) && (requireCalls || kind !== 'require-call')
        ? { id: prefix + id.replace(/^node:/, ''), moduleSideEffects: false }
        : undefined,
    load: async (id) => {
      if (!id.startsWith(prefix)) return undefined
      const name = `node:${id.slice(prefix.length)}`
      const { default: module } = (await import(name)) as { readonly default: object }
      // A call of `require` gets all exports, also those that Node computes at their first use: that of WebSocket in `node:http`
      // loads a second HTTP client. An import gets those that it names.
      const names = Object.entries(Object.getOwnPropertyDescriptors(module))
        .filter(([, property]) => property.enumerable === true && !(requireCalls && 'get' in property))
        .map(([name]) => name)
      // The bundle also starts on a Node that lacks an export, which is then undefined.
      return [
        `const builtin = process.getBuiltinModule(${JSON.stringify(name)})`,
        'export default builtin',
        ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})()`),
      ].join('\n')
    },
  }
}
