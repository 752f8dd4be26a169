import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

const readme = path.resolve(import.meta.dirname, '../../../../sdk/README.md')

/** The path of the example if it were a file, from which its imports are resolved. */
const example = path.join(import.meta.dirname, 'example-of-the-readme.ts')

const exampleModule = (code: string): Plugin => ({
  name: 'given',
  resolveId: (id) => (id === example ? id : undefined),
  load: (id) => (id === example ? code : undefined),
})

/**
 * The example of the SDK's README for browsers, as written there: a script that defines it as `example()`.
 */
export async function sdkExample(): Promise<string> {
  const written = await readFile(readme, 'utf8')
  const [, imports, body] = /^```ts browser\n(import .*\n)([^]*?)^```$/m.exec(written) ?? []
  if (imports === undefined || body === undefined) throw new Error('there is no example for browsers')
  const code = `${imports}Object.assign(globalThis, { example: async () => {\n${body}} })`
  const bundle = await rolldown({ input: example, platform: 'browser', plugins: [exampleModule(code)] })
  const { output } = await bundle.generate({ format: 'iife' })
  await bundle.close()
  return output[0].code
}
