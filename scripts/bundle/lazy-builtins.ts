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
      // Node computes an export with a getter at its first use: that of WebSocket in `node:http` loads a second HTTP client.
      const names = Object.entries(Object.getOwnPropertyDescriptors(module))
        .filter(([, property]) => !('get' in property) && property.enumerable === true)
        .map(([one]) => one)
      // The bundle also starts on a Node that lacks an export, which is then undefined.
      return [
        `const builtin = process.getBuiltinModule(${JSON.stringify(name)})`,
        'export default builtin',
        ...names.map((one) => `export const ${one} = /* @__PURE__ */ (() => builtin.${one})()`),
      ].join('\n')
    },
  }
}
