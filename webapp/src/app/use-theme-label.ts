import { useI18n } from 'vue-i18n'

/** What people call a theme; one that an operator brings is called as it is. */
export function useThemeLabel() {
  const { t, te } = useI18n()
  return (name: string): string => {
    const key = `footer.themes.${name}`
    return te(key) ? t(key) : name
  }
}
