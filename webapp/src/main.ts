import { createApp } from 'vue'
import { restoreActing } from './account/acting.ts'
import { followPreferences } from './account/preferences.ts'
import { useAccount } from './account/use-account.ts'
import App from './app/App.vue'
import { applyAppearance } from './app/appearance.ts'
import { baseURL } from './app/client.ts'
import { firstPage } from './app/first-page.ts'
import { keepWhenInstalled } from './app/installed.ts'
import { pages } from './app/pages.ts'
import { noticeMissingParts } from './app/missing-parts.ts'
import { createAppRouter } from './app/router.ts'
import { loadSettings } from './app/settings.ts'
import { showStartFailure } from './app/start-failure.ts'
import { useConfiguration } from './app/use-configuration.ts'
import { allowOwnScripts } from './app/trusted-types.ts'
import { setSettings } from './app/use-settings.ts'
import { followSystemTheme, presetTheme } from './app/use-theme.ts'
import { offerLanguages, startI18n } from './i18n/i18n.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

async function start(): Promise<void> {
  allowOwnScripts()
  noticeMissingParts()
  restoreActing()
  const account = useAccount()
  // The page, the server's limits and who is logged in are fetched while the settings and the texts are; failures show
  // where they are used.
  pages[firstPage(location.hash)]().catch(() => undefined)
  void useConfiguration().load()
  void account.known()
  account.watchOtherTabs()
  const [settings, i18n] = await Promise.all([loadSettings(baseURL), startI18n()])
  setSettings(settings)
  applyAppearance(settings)
  await Promise.all([presetTheme(settings.theme), offerLanguages(settings)])
  followSystemTheme()
  followPreferences()
  createApp(App).use(i18n).use(createAppRouter()).mount('#app')
  keepWhenInstalled()
}

start().catch((error: unknown) => {
  showStartFailure()
  reportError(error)
})
