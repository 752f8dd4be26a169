import { createRouter, createWebHashHistory, type RouteLocationNormalized, type Router } from 'vue-router'
import { useSession } from '../account/use-session.ts'
import { audience, requiresLogin } from './route-access.ts'
import HomePage from './HomePage.vue'
import NotFoundPage from './NotFoundPage.vue'
import { pages } from './pages.ts'
import { loginRoute, paths } from '../base/paths.ts'
import { queryValue } from '../base/query-value.ts'
import { useConfiguration } from '../api/use-configuration.ts'

/** The guards of the router. They run outside of components, so they get their stores here. */
function createGuards() {
  const { loadConfigurationOnce } = useConfiguration()
  const { loadUser } = useSession()

  async function requiresUser(to: RouteLocationNormalized): Promise<boolean> {
    switch (audience({ path: to.path, uploadID: queryValue(to.query['id']) })) {
      case 'everyone':
        return false
      case 'users':
        return true
      case 'asConfigured':
        return requiresLogin((await loadConfigurationOnce())?.feature_authentication)
    }
  }
  return {
    /** Redirects guests to the login where it is required, before the page shows. */
    redirectGuests: async (to: RouteLocationNormalized) =>
      !(await requiresUser(to)) || (await loadUser()) ? true : loginRoute(to.fullPath),
    /** A user has the requests of the account, a guest those of this browser. */
    toOwnRequests: async (to: RouteLocationNormalized) =>
      (await loadUser()) ? { path: paths.myRequests, query: to.query } : true,
  }
}

const personalPages = [
  { path: paths.myUploads, component: () => import('../personal/MyUploadsPage.vue') },
  { path: paths.myRequests, component: pages.requests },
  { path: paths.myTokens, component: () => import('../personal/tokens/TokensPage.vue') },
  {
    path: paths.myNotifications,
    component: () => import('../personal/notifications/NotificationsPage.vue'),
  },
  { path: paths.myStats, component: () => import('../personal/UsagePage.vue') },
  { path: paths.myAccount, component: () => import('../personal/account/AccountPage.vue') },
]

const adminPages = [
  { path: paths.adminStats, component: () => import('../admin/StatisticsPage.vue') },
  { path: paths.adminUsers, component: () => import('../admin/users/UsersPage.vue') },
  { path: paths.adminUser, component: () => import('../admin/users/UserPage.vue') },
  { path: paths.adminUploads, component: () => import('../admin/AllUploadsPage.vue') },
  {
    path: paths.adminRequests,
    component: async () => (await import('../admin/requests/all-requests-page.ts')).allRequestsPage(),
  },
]

/**
 * Follows the address while the first page loads: until then the router does not listen, and then sets the address of the first
 * page again.
 */
function followEarlyChanges(router: Router): void {
  let changed: string | undefined
  const remember = () => {
    changed = location.hash.slice(1)
  }
  addEventListener('hashchange', remember)
  const follow = () => {
    removeEventListener('hashchange', remember)
    if (changed !== undefined && changed !== router.currentRoute.value.fullPath) void router.push(changed)
  }
  router.isReady().then(follow, follow)
}

/** Call it in the context of the application. */
export function createAppRouter() {
  const { redirectGuests, toOwnRequests } = createGuards()
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: paths.home, component: HomePage },
      { path: paths.login, component: pages.login },
      { path: paths.cliLogin, component: pages.cliLogin },
      { path: paths.clients, component: pages.clients },
      { path: paths.sent, component: pages.sent },
      { path: paths.request, component: pages.request },
      { path: paths.requests, component: pages.requests, beforeEnter: toOwnRequests },
      {
        path: '/home',
        component: pages.personal,
        redirect: paths.myUploads,
        children: personalPages,
      },
      {
        path: '/admin',
        component: pages.admin,
        redirect: paths.adminStats,
        children: adminPages,
      },
      { path: '/:rest(.*)*', component: NotFoundPage },
    ],
  })
  router.beforeEach(redirectGuests)
  followEarlyChanges(router)
  return router
}
