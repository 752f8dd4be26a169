import type { Plugin } from 'vite'

const facade = '\0vue-as-far-as-used'

/** Modules that look names up in all of Vue, which keeps all of Vue in the bundle (19 kB more, compressed). */
const lookers = /\/(?:vue-i18n\/dist\/vue-i18n\.runtime|reka-ui\/dist\/shared\/useId)\.m?js$/

/** What these modules use. An update that uses more fails the build here, by name. */
const used = [
  ...[
    'createVNode',
    'Text',
    'Fragment',
    'defineComponent',
    'h',
    'computed',
    'watch',
    'ref',
    'shallowRef',
    'isRef',
  ],
  ...[
    'getCurrentInstance',
    'getCurrentScope',
    'onScopeDispose',
    'effectScope',
    'inject',
    'onMounted',
    'onUnmounted',
  ],
  'useId',
]

/** Gives modules that import all of Vue only what they use of it, so that the rest can be left out. */
export function narrowVue(): Plugin {
  return {
    name: 'narrow-vue',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'vue' && importer && lookers.test(importer) ? facade : null),
    load: (id) => (id === facade ? `export { ${used.join(', ')} } from 'vue'` : null),
  }
}
