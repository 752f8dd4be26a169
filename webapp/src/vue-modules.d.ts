/** For tools that read no Vue files, such as the linter: vue-tsc reads the components themselves. */
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
