import { createClient } from '@svc/sdk'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { signIn } from '../../../server/test/support/clients/accounts.ts'
import { startMailServer, type MailServer } from '../../../server/test/support/notifications/mail-server.ts'
import { emptyDirectory, runSvcd, startSvcd } from '../../../server/test/support/servers/svcd.ts'

/** A server with accounts, email and programs to download, so that every command works. */
export interface FullServer extends AsyncDisposable {
  readonly url: string
  readonly mails: MailServer['mails']
  /** Approves a login as a user does in a browser. */
  approveLogin(code: string): Promise<void>
  /** A new token of the administrator. */
  newToken(): Promise<string>
}

const administrator = { login: 'root', password: 'root password' }

/** @param clients folder with the programs that the server offers */
export async function startFullServer(clients: string): Promise<FullServer> {
  const [directory, port, mailServer] = await Promise.all([
    emptyDirectory(),
    freePort(),
    startMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] }),
  ])
  const settings = {
    CLIENTS_DIRECTORY: clients,
    FEATURE_AUTHENTICATION: 'enabled',
    DEFAULT_ADMIN_LOGIN: administrator.login,
    DEFAULT_ADMIN_PASSWORD: administrator.password,
    FEATURE_MAIL: 'enabled',
    // Emails need the address of the server, which clients then use, too.
    LISTEN_PORT: String(port),
    SVC_DOMAIN: `http://127.0.0.1:${String(port)}`,
    MAIL_SERVER: `smtp://127.0.0.1:${String(mailServer.port)}`,
    MAIL_FROM: 'svc@svc.example',
    MAIL_TLS: 'none',
  }
  const server = await startSvcd(directory, settings)
  return {
    url: server.url,
    mails: mailServer.mails,
    async approveLogin(code) {
      const { headers, xsrf } = await signIn(server, administrator)
      await createClient({ baseURL: server.url, headers, xsrfToken: () => xsrf }).approveCliLogin({ code })
    },
    async newToken() {
      const { output } = await runSvcd(['token', 'create', administrator.login], directory, settings)
      return output.trim()
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await Promise.all([server.ended, mailServer.close()])
    },
  }
}
