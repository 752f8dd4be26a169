import { shallowRef } from 'vue'
import { defaultSettings, type Settings } from './settings.ts'

const settings = shallowRef<Settings>(defaultSettings)

/** The default name of the service. */
const productName = 'Svc'

export function setSettings(loaded: Settings): void {
  settings.value = loaded
}

export function useSettings() {
  return { settings, serviceName: () => settings.value.name || productName }
}
