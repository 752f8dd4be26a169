import { defineConfig } from 'vitepress'
import packageFile from '../../../package.json' with { type: 'json' }
import { adaptLinks, sidebar } from '../pages.ts'

export default defineConfig({
  title: 'Svc',
  description:
    'Self-hosted temporary files: upload a file, get a link, and it is deleted after its time to live or one download.',
  srcDir: '../..',
  srcExclude: ['**/node_modules/**', '**/dist/**', '.runtime/**', 'changelog/**', 'scripts/**', 'bench/**'],
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  themeConfig: {
    siteTitle: `Svc ${packageFile.version}`,
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Protocol', link: '/docs/protocol' },
      { text: 'SDK', link: '/sdk/' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
  },
  markdown: {
    config: (markdown) =>
      markdown.core.ruler.push('links to pages', ({ tokens, env }) => adaptLinks(tokens, env.relativePath)),
  },
})
