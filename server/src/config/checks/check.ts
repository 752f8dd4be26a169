import { formatDuration } from '@svc/contract'
import { storeProblems } from './check-stores.ts'
import type { CrossFieldProblem } from './cross-field-check.ts'
import { listenerProblems } from './listeners.ts'
import { reasonOf, type ReadFile } from '../sources/environment-settings.ts'
import { databaseAddress } from '../values/value-parsers.ts'
import { isMemoryAddress } from '../values/memory-address.ts'
import type { OptionKey, OptionValues } from '../options/options.ts'

/**
 * Finds problems between several keys.
 * @param readFile checks that certificate and key can be read
 */
export function crossFieldProblems(values: OptionValues, readFile: ReadFile): readonly CrossFieldProblem[] {
  return [
    ...lifetimes(values),
    ...applications(values),
    ...requests(values),
    ...serverWebhook(values),
    ...mail(values),
    ...memoryStores(values),
    ...databases(values),
    ...listenerProblems(values),
    ...storeProblems(values),
    ...certificate('SslCert', values, readFile),
    ...certificate('SslKey', values, readFile),
  ]
}

function lifetimes({ DefaultTTLStr, MaxTTLStr }: OptionValues): readonly CrossFieldProblem[] {
  if (MaxTTLStr <= 0) return []
  if (DefaultTTLStr > 0 && DefaultTTLStr <= MaxTTLStr) return []
  const message = `${formatDuration(DefaultTTLStr)} is above MaxTTLStr (${formatDuration(MaxTTLStr)}): lower it, or raise MaxTTLStr`
  return [{ key: 'DefaultTTLStr', because: ['MaxTTLStr'], message }]
}

/** Processes do not share memory. */
function memoryStores(values: OptionValues): readonly CrossFieldProblem[] {
  if (values.Workers === 1) return []
  const message = 'is the memory of one process: choose another, or set Workers = 1'
  const address = values['MetadataBackendConfig.ConnectionString']
  const keys: readonly OptionKey[] = [
    ...(values.DataBackend === 'memory' ? (['DataBackend'] as const) : []),
    ...(isMemoryAddress(address) ? (['MetadataBackendConfig.ConnectionString'] as const) : []),
  ]
  return keys.map((key) => ({ key, because: ['Workers'], message }))
}

function databases(values: OptionValues): readonly CrossFieldProblem[] {
  const driver = values['MetadataBackendConfig.Driver']
  const address = values['MetadataBackendConfig.ConnectionString']
  const expected = driver === 'sqlite3' ? null : databaseAddress[driver]
  const fits =
    expected === null
      ? !Object.values(databaseAddress).some((form) => form.test(address))
      : expected.test(address)
  if (fits) return []
  const expectedForm =
    driver === 'sqlite3' ? 'the path of a file' : `an address that begins with ${driver}://`
  const message = `does not fit the driver ${driver}: write ${expectedForm}`
  return [
    {
      key: 'MetadataBackendConfig.ConnectionString',
      because: ['MetadataBackendConfig.Driver'],
      message,
    },
  ]
}

function certificate(
  key: 'SslCert' | 'SslKey',
  values: OptionValues,
  readFile: ReadFile,
): readonly CrossFieldProblem[] {
  const path = values[key]
  if (!values.SslEnabled) return []
  const because = ['SslEnabled'] as const
  if (path === '')
    return [{ key, because, message: 'is required by SslEnabled: write the path of a PEM file' }]
  try {
    readFile(path)
    return []
  } catch (error) {
    return [{ key, because, message: `the file ${path} cannot be read: ${reasonOf(error)}` }]
  }
}

/** The keys of a provider: all or none must be set. */
const applicationKeys = [
  ['Idp1ApiClientID', 'Idp1ApiSecret'],
  ['Idp2ApiClientID', 'Idp2ApiSecret'],
  ['Idp3ApiKey', 'Idp3ApiSecret'],
  ['OIDCClientID', 'OIDCClientSecret', 'OIDCProviderURL'],
] as const satisfies readonly (readonly OptionKey[])[]

function applications(values: OptionValues): readonly CrossFieldProblem[] {
  return applicationKeys.flatMap((keys) => {
    const present = keys.filter((key) => values[key] !== '')
    if (present.length === 0) return []
    return keys
      .filter((key) => values[key] === '')
      .map((key) => ({ key, because: present, message: `is missing, and ${present.join(' and ')} needs it` }))
  })
}

function requests({ FeatureRequests, FeatureAuthentication }: OptionValues): readonly CrossFieldProblem[] {
  if (FeatureRequests !== 'forced' || FeatureAuthentication !== 'disabled') return []
  const message = 'needs accounts: set FeatureAuthentication = "enabled", or "disabled" here'
  return [{ key: 'FeatureRequests', because: ['FeatureAuthentication'], message }]
}

/** `whsec_` and at least 24 bytes in base64 (Standard Webhooks). */
const webhookSecret = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

function serverWebhook({ WebhookURL, WebhookSecret }: OptionValues): readonly CrossFieldProblem[] {
  if (WebhookURL === '' || webhookSecret.test(WebhookSecret)) return []
  const message = 'must be `whsec_` and 24 to 64 bytes in base64, because WebhookURL needs it'
  return [{ key: 'WebhookSecret', because: ['WebhookURL'], message }]
}

const sender = /^(?:[^<>@\p{Cc}]*<)?[^\s<>@,;]+@[^\s<>@,;]+>?$/u

function mail({ MailServer, MailFrom, SvcDomain, FeatureMail }: OptionValues): readonly CrossFieldProblem[] {
  if (MailServer === '') {
    const message = 'needs a mail server: write MailServer and MailFrom, or "disabled" here'
    return FeatureMail === 'disabled' ? [] : [{ key: 'FeatureMail', because: ['MailServer'], message }]
  }
  const because = ['MailServer'] as const
  const from = 'must be an address such as `Svc <svc@example.org>`, because MailServer needs it'
  const domain = 'is required by MailServer, for the links in messages'
  return [
    ...(sender.test(MailFrom) ? [] : [{ key: 'MailFrom' as const, because, message: from }]),
    ...(SvcDomain !== '' ? [] : [{ key: 'SvcDomain' as const, because, message: domain }]),
  ]
}
