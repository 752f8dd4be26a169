import { foreignProviders, type ForeignProvider } from '../auth/providers/open-providers.ts'
import type { ProvidersConfig } from '../config/account-config.ts'
import { fail, ok, reasonsOf, type Finding } from './finding.ts'
import type { Parts, Subject } from './parts.ts'

const patienceMs = 5_000

/** Whether the providers that are configured can be reached from here. */
export async function checkProviders({ config, parts }: Subject): Promise<readonly Finding[]> {
  const configured = foreignProviders.filter((provider) => parts.providers[provider] !== undefined)
  return Promise.all(
    configured.map((provider) => checkProvider(provider, config.accounts.providers, parts, config.svcDomain)),
  )
}

async function checkProvider(
  provider: ForeignProvider,
  { oidc, ...applications }: ProvidersConfig,
  parts: Parts,
  svcDomain: string,
): Promise<Finding> {
  try {
    if (provider === 'oidc') {
      // A login begins with the discovery, and without a word to the provider after it.
      await parts.providers.oidc?.begin(`${svcDomain || 'http://localhost'}/auth/oidc/callback`)
      return ok('oidc', `${oidc?.name ?? ''} was discovered at ${oidc?.providerURL ?? ''}`)
    }
    const tokenURL = applications[provider]?.tokenURL ?? ''
    // Any answer will do: it is refused without a code.
    await fetch(tokenURL, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
    return ok(provider, `${new URL(tokenURL).origin} answers`)
  } catch (error) {
    return fail(
      provider,
      `the provider cannot be reached: ${reasonsOf(error)}. Look at its address and the firewall`,
    )
  }
}
