import { fail, ok, type Finding } from '@svc/terminal'
import { reasonsOf } from './base/reasons.ts'
import type { CheckContext } from './base/context.ts'

/** Connects to the mail server and signs in, without sending a message. */
export async function checkMail({ config, components }: CheckContext): Promise<readonly Finding[]> {
  const { mail } = config.notifications
  if (mail === null || components.mailer === null) return []
  const { host } = new URL(mail.server)
  try {
    await components.mailer.verify()
    return [ok('email', `${host} accepts the connection`)]
  } catch (error) {
    const advice = 'Check MailServer, MailTLS and MailCA, and the firewall'
    return [fail('email', `the mail server ${host} cannot be used: ${reasonsOf(error)}. ${advice}`)]
  } finally {
    components.mailer.close()
  }
}
