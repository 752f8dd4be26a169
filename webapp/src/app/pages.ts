import type { PageName } from './page-from-hash.ts'

/** The pages. Each is a chunk that is loaded on use. */
export const pages = {
  upload: () => import('../upload/UploadPage.vue'),
  download: () => import('../download/DownloadPage.vue'),
  login: () => import('../login/LoginPage.vue'),
  cliLogin: () => import('../cli-login/CliLoginPage.vue'),
  clients: () => import('../clients/ClientsPage.vue'),
  sent: () => import('../sent/SentPage.vue'),
  personal: () => import('../personal/PersonalPage.vue'),
  admin: () => import('../admin/AdminPage.vue'),
} as const satisfies Record<PageName, unknown>
