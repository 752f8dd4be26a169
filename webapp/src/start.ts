import { createApp } from 'vue'
import { useAccountPreferences } from './account/use-account-preferences.ts'
import { useSession } from './account/use-session.ts'
import App from './app/App.vue'
import { applyAppearance } from './settings/appearance.ts'
import { baseURL } from './api/api.ts'
import { pageFromHash } from './app/page-from-hash.ts'
import { pages } from './app/pages.ts'
import { registerWhenInstalled } from './app/register-when-installed.ts'
import { useChunkErrors } from './app/use-chunk-errors.ts'
import { createAppRouter } from './app/router.ts'
import { provideStores } from './base/store.ts'
import { useServerClock } from './base/use-server-clock.ts'
import { loadSettings } from './settings/settings.ts'
import { useConfiguration } from './api/use-configuration.ts'
import { installTrustedTypes } from './app/trusted-types.ts'
import { useSettings } from './settings/use-settings.ts'
import { useTheme } from './settings/use-theme.ts'
import { setAvailableLanguages, startI18n } from './i18n/i18n.ts'

/** Starts the application. `main.ts` has requested its texts, and a frequent page. */
export async function start(): Promise<void> {
  installTrustedTypes()
  const app = createApp(App)
  provideStores(app)
  // Loads the page, the configuration and the user while the settings and texts load. Their errors show where they are used.
  pages[pageFromHash(location.hash)]().catch(() => undefined)
  const { settings, theme } = app.runWithContext(openStores)
  const [loaded, i18n] = await Promise.all([loadSettings(baseURL), startI18n()])
  settings.value = loaded
  applyAppearance(loaded)
  await Promise.all([theme.applyDefault(loaded.theme), setAvailableLanguages(loaded)])
  app.runWithContext(useAccountPreferences)
  // Not mounted in the context of the application, where components would not get what those around them provide.
  app.use(i18n).use(app.runWithContext(createAppRouter)).mount('#app')
  registerWhenInstalled()
  prepareFirstUse()
}

/** The stores that listen or load from the beginning. Others are created on use. */
function openStores() {
  useChunkErrors()
  useServerClock()
  void useConfiguration().load()
  void useSession().loadUser()
  return { settings: useSettings().settings, theme: useTheme() }
}

/** Loaded with the first use of a pointer or a key, because the page works without it. */
function prepareFirstUse(): void {
  const first = new AbortController()
  for (const type of ['pointermove', 'keydown'])
    addEventListener(
      type,
      () => {
        first.abort()
        import('./app/first-use.ts').then(({ onFirstUse }) => onFirstUse()).catch(() => undefined)
      },
      { signal: first.signal, passive: true },
    )
}
