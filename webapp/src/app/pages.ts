import { loadAccountMessages } from '../i18n/i18n.ts'
import { withMessages } from '../i18n/with-messages.ts'
import { frequentPages } from './frequent-pages.ts'
import type { PageName } from './page-from-hash.ts'

/** A page with messages that the pages of an upload do not need. */
const withAccountMessages =
  <Page>(load: () => Promise<Page>) =>
  (): Promise<Page> =>
    withMessages(load(), loadAccountMessages())

/** The pages. Each is a chunk that is loaded on use. */
export const pages = {
  ...frequentPages,
  login: withAccountMessages(() => import('../login/LoginPage.vue')),
  cliLogin: withAccountMessages(() => import('../cli-login/CliLoginPage.vue')),
  clients: withAccountMessages(() => import('../clients/ClientsPage.vue')),
  sent: async () => (await import('../sent/load-sent.ts')).loadSentPage(),
  request: async () => (await import('../requests/request-pages.ts')).senderPage(),
  requests: async () => (await import('../requests/request-pages.ts')).ownerPage(),
  personal: withAccountMessages(() => import('../personal/PersonalPage.vue')),
  admin: withAccountMessages(() => import('../admin/AdminPage.vue')),
} as const satisfies Record<PageName, unknown>
