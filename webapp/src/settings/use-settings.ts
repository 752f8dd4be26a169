import { shallowRef } from 'vue'
import { defineStore } from '../base/store.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** The default name of the service. */
const productName = 'Svc'

/** The operator's settings: the defaults until `settings.json` is loaded. */
export const useSettings = defineStore(() => {
  const settings = shallowRef<Settings>(defaultSettings)
  return { settings, serviceName: () => settings.value.name || productName }
})
