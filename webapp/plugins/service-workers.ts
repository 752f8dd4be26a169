import path from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Serves the service workers in development, at the addresses that they have in a build. Each request bundles its worker:
 * the browser runs it as a script, without imports.
 * @param workers source by name, relative to the root of the web application
 */
export function serviceWorkers(workers: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'service-workers',
    apply: 'serve',
    configureServer(server) {
      for (const [name, source] of Object.entries(workers))
        server.middlewares.use(`/${name}.js`, (_request, response, next) => {
          bundle(path.join(server.config.root, source)).then((script) => {
            response.setHeader('content-type', 'text/javascript')
            response.end(script)
          }, next)
        })
    },
  }
}

async function bundle(source: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  for (const result of Array.isArray(built) ? built : [built])
    if ('output' in result) return result.output[0].code
  throw new Error(`${source} was not bundled`)
}
