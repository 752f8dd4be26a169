import { fail, type Finding } from '@svc/terminal'
import { checkAccounts } from './accounts.ts'
import { checkCertificate } from './certificate.ts'
import { checkDataStore } from './data-store.ts'
import { checkDatabase } from './database.ts'
import { checkDomains } from './domains.ts'
import { checkFiles } from './files.ts'
import { checkInstances } from './instances.ts'
import { reasonsOf } from './base/reasons.ts'
import { checkMail } from './mail.ts'
import { checkOwners } from './owners.ts'
import { checkPorts } from './ports.ts'
import type { CheckContext } from './base/context.ts'
import { checkProviders } from './providers.ts'
import { checkProxies } from './proxies.ts'

type Check = (context: CheckContext) => Promise<readonly Finding[]> | readonly Finding[]

const checks: readonly (readonly [about: string, check: Check])[] = [
  ['database', checkDatabase],
  ['data store', checkDataStore],
  ['ports', checkPorts],
  ['certificate', checkCertificate],
  ['domains', checkDomains],
  ['proxies', checkProxies],
  ['instances', checkInstances],
  ['accounts', checkAccounts],
  ['providers', checkProviders],
  ['email', checkMail],
  ['files', checkFiles],
  ['owners', checkOwners],
]

/** Runs all checks at once. They leave everything unchanged. Never rejects. */
export async function runChecks(context: CheckContext): Promise<readonly Finding[]> {
  const found = await Promise.all(
    checks.map(async ([about, check]) => {
      try {
        return await check(context)
      } catch (error) {
        return [fail(about, `could not be checked: ${reasonsOf(error)}`)]
      }
    }),
  )
  return found.flat()
}
