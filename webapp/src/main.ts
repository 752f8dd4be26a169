import { createApp } from 'vue'
import App from './app/App.vue'
import { baseURL } from './app/client.ts'
import { isDownload, pages } from './app/pages.ts'
import { createAppRouter } from './app/router.ts'
import { loadSettings } from './app/settings.ts'
import { useConfiguration } from './app/use-configuration.ts'
import { setSettings } from './app/use-settings.ts'
import { startTheme } from './app/use-theme.ts'
import { presetLanguage, startI18n } from './i18n/i18n.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

async function start(): Promise<void> {
  // The page and the server's limits are fetched while the settings and the texts are; failures show where they are used.
  const page = isDownload(location.hash) ? pages.download() : pages.upload()
  page.catch(() => undefined)
  void useConfiguration().load()
  const [settings, i18n] = await Promise.all([loadSettings(baseURL), startI18n()])
  setSettings(settings)
  startTheme(settings.theme)
  await presetLanguage(settings.language)
  createApp(App).use(i18n).use(createAppRouter()).mount('#app')
}

void start()
