import { useI18n } from 'vue-i18n'

/** What people call a theme; one that an operator brings is called as it is. */
export function useThemeLabel() {
  const i18n = useI18n()
  return (name: string): string => {
    const key = `footer.themes.${name}`
    return i18n.te(key) ? i18n.t(key) : name
  }
}
