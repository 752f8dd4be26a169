import { cookies } from '@svc/contract'
import { createClient, type Client } from '@svc/sdk'
import type { Page } from 'playwright-core'

export interface TestUser {
  readonly login: string
  readonly password: string
}

export const admin: TestUser = { login: 'ada', password: 'correct horse battery' }

/** Settings of a server with accounts, and with one user. */
export const withAccounts = {
  FEATURE_AUTHENTICATION: 'enabled',
  DEFAULT_ADMIN_LOGIN: admin.login,
  DEFAULT_ADMIN_PASSWORD: admin.password,
} as const

/** Settings of a server with accounts and a mail server on a port of this machine. */
export const withMail = (port: number) => ({
  ...withAccounts,
  SVC_DOMAIN: 'http://127.0.0.1',
  MAIL_SERVER: `smtp://127.0.0.1:${String(port)}`,
  MAIL_TLS: 'none',
  MAIL_FROM: 'Svc <svc@svc.example>',
})

/** Fills in the login page and submits it. */
export async function enter(page: Page, user: TestUser): Promise<void> {
  await page.getByLabel('Username').fill(user.login)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const menu = (page: Page, name = admin.login) => page.getByRole('button', { name: `Account: ${name}` })

/** Opens the login page, logs in, and waits for the name in the menu. */
export async function logIn(page: Page, server: string, user: TestUser = admin): Promise<void> {
  await page.goto(`${server}/#/login`)
  await enter(page, user)
  await menu(page, user.login).waitFor()
}

/** A client of a user outside of the browser, with a separate session. */
export async function signedIn(server: string, user: TestUser = admin): Promise<Client> {
  const jar = new Map<string, string>()
  const sdk = createClient({
    baseURL: server,
    xsrfToken: () => jar.get(cookies.xsrf),
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(url, { ...init, headers })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        jar.set(name, value)
      }
      return response
    },
  })
  await sdk.localLogin(user)
  return sdk
}
