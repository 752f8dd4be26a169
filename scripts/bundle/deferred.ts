import { rolldown, type Plugin } from 'rolldown'
import { lazyBuiltins } from './lazy-builtins.ts'

/**
 * Keeps a module with its packages as a text, which is compiled when the module is first needed. The engine reads a text much faster
 * than code: of a program of one file, it parses every function at each start, also those that most commands never call.
 * @param modules paths of modules that import nothing but packages
 */
export function deferModules(modules: readonly string[]): Plugin {
  return {
    name: 'deferred',
    load: async (id) => {
      if (!modules.includes(id)) return undefined
      const bundle = await rolldown({
        input: id,
        platform: 'node',
        logLevel: 'warn',
        plugins: [lazyBuiltins({ requireCalls: true })],
      })
      const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, minify: true })
      await bundle.close()
      const [{ code, exports: names }] = output
      return [
        `const deferred = {}`,
        `const compile = process.getBuiltinModule('node:vm').compileFunction`,
        `compile(${JSON.stringify(code)}, ['exports'])(deferred)`,
        ...names.map((name) => `export const ${name} = deferred.${name}`),
      ].join('\n')
    },
  }
}
