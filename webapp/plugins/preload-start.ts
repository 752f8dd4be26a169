import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

/**
 * Lets the document request the start of the application, and all that it imports, together with the entry, which imports it
 * dynamically. The entry is small: what it requests does not wait for the libraries.
 * @param start the end of the module's path
 */
export function preloadStart(start: string): Plugin {
  return {
    name: 'preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(start)))
        if (!found) throw new Error(`no chunk of ${start}`)
        const needed = withImports(found, bundle)
        const styles = needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        const isNew = (file: string) => !html.includes(`./${file}"`)
        return [
          ...needed
            .map(({ fileName }) => fileName)
            .filter(isNew)
            .map(preloadOf),
          ...[...new Set(styles)].filter(isNew).map(styleOf),
        ]
      },
    },
  }
}

/** A chunk with all that it imports statically. */
function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const seen = new Set<Rolldown.OutputChunk>()
  const visit = (next: Rolldown.OutputChunk) => {
    if (seen.has(next)) return
    seen.add(next)
    for (const name of next.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') visit(imported)
    }
  }
  visit(chunk)
  return [...seen]
}

const preloadOf = (file: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
  injectTo: 'head',
})
const styleOf = (file: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'stylesheet', crossorigin: true, href: `./${file}` },
  injectTo: 'head',
})
