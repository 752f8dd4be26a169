import { fail, ok, type Finding } from '@svc/terminal'
import { externalProviders, type ExternalProvider } from '../auth/providers/open-providers.ts'
import type { ProvidersConfig } from '../config/account-config.ts'
import { reasonsOf } from './base/reasons.ts'
import type { Components, CheckContext } from './base/context.ts'

const timeoutMs = 5_000

/** Checks that this machine can reach the configured providers. */
export async function checkProviders({ config, components }: CheckContext): Promise<readonly Finding[]> {
  const configured = externalProviders.filter((provider) => components.providers[provider] !== undefined)
  return Promise.all(
    configured.map((provider) =>
      checkProvider(provider, config.accounts.providers, components, config.svcDomain),
    ),
  )
}

async function checkProvider(
  provider: ExternalProvider,
  { oidc, ...applications }: ProvidersConfig,
  components: Components,
  svcDomain: string,
): Promise<Finding> {
  try {
    if (provider === 'oidc') {
      // A login starts with discovery and sends nothing else to the provider.
      await components.providers.oidc?.begin(`${svcDomain || 'http://localhost'}/auth/oidc/callback`)
      return ok('oidc', `${oidc?.name ?? ''} was discovered at ${oidc?.providerURL ?? ''}`)
    }
    const tokenURL = applications[provider]?.tokenURL ?? ''
    // Any response will do: without a code, the provider refuses the request.
    await fetch(tokenURL, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
    return ok(provider, `${new URL(tokenURL).origin} responds`)
  } catch (error) {
    return fail(
      provider,
      `the provider cannot be reached: ${reasonsOf(error)}. Check its address and the firewall`,
    )
  }
}
