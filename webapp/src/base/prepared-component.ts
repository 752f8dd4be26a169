import { computed, defineAsyncComponent, shallowRef, type Component } from 'vue'

/**
 * A part of the page that loads on use, or before: an asynchronous component alone appears a moment after what is around it,
 * and moves what is below it. All applications share its code.
 */
export function preparedComponent<Part extends Component>(load: () => Promise<{ readonly default: Part }>) {
  const loaded = shallowRef<Part>()
  const onUse = defineAsyncComponent(load)
  return {
    component: computed(() => loaded.value ?? onUse),
    /** Loads it. If that fails, it loads again on use. */
    prepare: async (): Promise<void> => {
      loaded.value ??= (await load()).default
    },
  }
}
