import path from 'node:path'
import { env } from 'node:process'
import VueI18n from '@intlify/unplugin-vue-i18n/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { narrowVue } from './plugins/narrow-vue.ts'
import { pdfFiles } from './plugins/pdf-files.ts'
import { preloadStart } from './plugins/preload-start.ts'
import { precompressAssets } from './plugins/precompress.ts'
import { serverPaths } from './plugins/server-paths.ts'
import { serviceWorkers } from './plugins/service-workers.ts'

const server = env['SVC_SERVER'] ?? 'http://127.0.0.1:8080'

/** What the entry needs; it imports nothing else, so that it does not wait for the libraries. */
const first =
  /preload-helper|\/contract\/src\/base\/languages|\/webapp\/src\/(?:app\/(?:page-from-hash|frequent-pages|start-failure)|base\/(?:paths|browser\/storage)|i18n\/(?:locales|common-messages))\.ts/

/** Small modules of most pages: a file for each of them would be larger than its content. Not those that first visits do without. */
const shared =
  /plugin-vue:export-helper|\/webapp\/src\/(?:base\/(?!browser\/(?:element-observer|focus-if-lost|save-blob)|use-action|use-async-data)|session\/|start\.ts|app\/(?!first-use)|settings\/|account\/(?:use-session|use-account-preferences|AccountCorner)|api\/use-configuration|i18n\/(?:i18n|plural|format|use-format|with-messages)|sent\/store\/(?:removals|sent-upload|application-path)|upload\/draft\/(?:draft|picked-file|selected-files)|errors\/(?:describe-error|use-error-text|ErrorView)|ui\/(?:AppIcon|EndPage|IconButton|LoadingNotice|PageHeading|icons|dialog\/use-))|\/sdk\/src\/(?:errors|queue\/task-queue)|\/contract\/src\/(?:file-names\/file-name|base\/(?:names|limits|effective-limits|sizes|languages|parse-json))|\/encryption\/src\/base\/(?:error|sizes|format)/

/** Small modules of the pages that list files, for the same reason. */
const lists =
  /\/webapp\/src\/(?:ui\/file\/(?:file-kind|split-name|plain-rows|use-folder-rows)|ui\/copy\/(?:use-copy|copy-text)|download\/(?:UploadBadges|files\/(?:use-download-runs|download-limit))|viewers\/viewer-kind|previews\/picture-sources|sent\/current-files|encryption\/(?:without-manifest|shown-size))/

/** What compares the key of an upload request with its link, and loads its texts, for the same reason. */
const fingerprints =
  /\/webapp\/src\/i18n\/request-messages|\/encryption\/src\/(?:base\/(?:base64url|bytes|require-web-crypto)|header\/fingerprint)|\/webapp\/src\/encryption\/fingerprint/

/** Text fields, for the same reason. */
const fields = /\/webapp\/src\/ui\/form\/Text(?:Area|Field)/

/** What opens and closes a part of a page, for the same reason. */
const disclosure = /\/webapp\/src\/ui\/disclosure\//

/** The hash of the manifest. Otherwise its chunk has the small functions that visits without a manifest need, too. */
const sha2 = /\/node_modules\/@noble\/hashes\/(?:sha2|_md|_u64)\.js/

const framework = /\/node_modules\/(?:@vue|vue|vue-router|vue-i18n|@intlify)\//

/** A browser knows a service worker by its address, so its file name has no hash. Its scope begins at that address. */
const workers = {
  'save-worker': 'src/saving/worker/save-worker.ts',
  'shell-worker': 'src/service-worker/shell-worker.ts',
  'push-worker': 'src/service-worker/push/push-worker.ts',
}

/** The schemas of the contract are for the server; only links and names are wanted here. */
const treeshake = {
  moduleSideEffects: [
    { test: /\/contract\/src\//, sideEffects: false },
    { test: /\/node_modules\/typebox\//, sideEffects: false },
  ],
}

export default defineConfig({
  // Relative addresses: the same build works below any path prefix.
  base: './',
  root: import.meta.dirname,
  plugins: [
    narrowVue(),
    vue(),
    // Messages are compiled here, so the compiler stays out of the browser.
    VueI18n({
      include: path.join(import.meta.dirname, 'src/locales/**/*.json'),
      dropMessageCompiler: true,
      fullInstall: false,
    }),
    pdfFiles(),
    preloadStart('/webapp/src/start.ts'),
    precompressAssets(),
    serviceWorkers(workers),
  ],
  resolve: {
    // The page sends a file over one connection, which is faster (docs/performance-notes.md).
    alias: { './send-in-parallel.ts': path.join(import.meta.dirname, 'src/api/one-connection.ts') },
  },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // pdf.js, which is fetched with the first PDF.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // One file for what every page needs of others' code: it compresses better, and changes less often than ours.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: first },
            { name: 'vue', test: framework },
            { name: 'shared', test: shared },
            { name: 'lists', test: lists },
            { name: 'fingerprints', test: fingerprints },
            { name: 'sha2', test: sha2 },
            { name: 'disclosure', test: disclosure },
            { name: 'fields', test: fields },
          ],
        },
        entryFileNames: ({ name }) => (name in workers ? '[name].js' : 'assets/[name]-[hash].js'),
      },
      input: {
        index: path.join(import.meta.dirname, 'index.html'),
        ...Object.fromEntries(
          Object.entries(workers).map(([name, source]) => [name, path.join(import.meta.dirname, source)]),
        ),
      },
      treeshake,
    },
  },
  // What the worker of server-sent events needs of the SDK loads on use.
  worker: { format: 'es', rolldownOptions: { treeshake } },
  // Without Vite's CORS, the server itself responds to OPTIONS.
  server: { proxy: serverPaths(server), cors: false },
})
