import { shallowRef } from 'vue'
import type { Settings } from './settings.ts'

const settings = shallowRef<Settings>({ name: '', theme: 'auto', language: 'auto', footer: '' })

/** The name people see when the settings give none. */
const productName = 'Svc'

export function setSettings(loaded: Settings): void {
  settings.value = loaded
}

export function useSettings() {
  return { settings, serviceName: () => settings.value.name || productName }
}
