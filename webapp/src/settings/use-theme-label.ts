import { useI18n } from 'vue-i18n'

/** Label of a theme. A theme of the operator is labelled with its name. */
export function useThemeLabel() {
  const i18n = useI18n()
  return (name: string): string => {
    const key = `footer.themes.${name}`
    return i18n.te(key) ? i18n.t(key) : name
  }
}
