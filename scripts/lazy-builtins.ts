import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const prefix = '\0builtin:'

/**
 * Loads each module of Node when the first module that uses it is run, not when the bundle is: in one file all imports
 * would stand at its top, and loading HTTP, TLS and the like takes longer than all that `svc --version` does.
 */
export function lazyBuiltins(): Plugin {
  return {
    name: 'lazy-builtins',
    resolveId: (id) =>
      isBuiltin(id) ? { id: prefix + id.replace(/^node:/, ''), moduleSideEffects: false } : undefined,
    load: async (id) => {
      if (!id.startsWith(prefix)) return undefined
      const name = `node:${id.slice(prefix.length)}`
      const names = Object.keys((await import(name)) as object).filter((one) => one !== 'default')
      // What a Node that runs the bundle does not have yet is undefined, and no reason not to start.
      return [
        `const builtin = process.getBuiltinModule(${JSON.stringify(name)})`,
        'export default builtin',
        ...names.map((one) => `export const ${one} = /* @__PURE__ */ (() => builtin.${one})()`),
      ].join('\n')
    },
  }
}
