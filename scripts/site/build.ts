/**
 * Builds the documentation site into dist/site. npm runs this as `npm run docs`; `npm run docs -- FOLDER` builds into another
 * folder. Every web server, or the preview of an editor, shows the static pages.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { installTool } from '../setup/install-tool.ts'
import { root } from '../setup/runtime.mjs'
import { brokenLinks } from './check-links.ts'

const folder = import.meta.dirname
const [target] = argv.slice(2)
const site = target === undefined ? join(root, 'dist/site') : resolve(env['INIT_CWD'] ?? '.', target)

await installTool({ folder, name: 'the generator of the site' })
const generator = join(folder, 'node_modules/vitepress/bin/vitepress.js')
const { status } = spawnSync(execPath, [generator, 'build', folder, '--outDir', site], { stdio: 'inherit' })
if (status !== 0) exit(1)
const broken = brokenLinks(site)
if (broken.length > 0) {
  console.error(['Broken links:', ...broken].join('\n  '))
  exit(1)
}
console.log(`The site is in ${site}`)
