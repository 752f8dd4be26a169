import type { FlagValue, OptionFlag, SwitchFlag, SwitchValue } from '@svc/contract'
import type { AccountsConfig } from './account-config.ts'
import { accountsOf } from './account-config.ts'
import { gcsOf, swiftOf, type GcsConfig, type SwiftConfig } from './object-store-config.ts'
import { notificationsOf, type NotificationsConfig } from './notification-config.ts'
import type { OptionValues } from './options/options.ts'
import { s3Of, type S3Config } from './s3-config.ts'

export type Features = Readonly<Record<OptionFlag, FlagValue> & Record<SwitchFlag, SwitchValue>>

/** Where the bytes of files are stored. Sizes are bytes. */
export type DataBackendConfig =
  | {
      readonly kind: 'file'
      readonly directory: string
      readonly fsync: boolean
    }
  | S3Config
  | SwiftConfig
  | GcsConfig
  | { readonly kind: 'memory' }

/** Where everything but the bytes of files is stored. */
export type MetadataBackendConfig =
  | {
      readonly driver: 'sqlite3'
      /** Path of the file, or a name that SQLite interprets itself. */
      readonly connectionString: string
      /** Whether a confirmed change survives a power failure. */
      readonly fsync: boolean
    }
  | {
      readonly driver: 'postgres' | 'mysql'
      /** Address of the database, with credentials. */
      readonly connectionString: string
      /** Maximum number of connections of this process. */
      readonly maxConnections: number
    }

/** Infinity where there is no budget; `bytes` in bytes. Networks in CIDR notation. */
export interface Budgets {
  readonly uploads: number
  readonly files: number
  readonly bytes: number
  readonly cliCodes: number
  readonly passwordUploads: number
  readonly qrCodes: number
  readonly exempt: readonly string[]
}

/** The configuration, parsed and checked. Sizes are bytes, durations seconds, directories absolute paths. */
export interface Config {
  readonly listenAddress: string
  /** 0 takes any free port. */
  readonly listenPort: number
  /** Prefix of every URL path: empty, or `/x/y` without a trailing slash. */
  readonly path: string
  /** Origins (`https://files.example`, no trailing slash); empty when not configured. */
  readonly svcDomain: string
  readonly downloadDomain: string
  readonly downloadDomainAlias: readonly string[]
  /** Paths of the PEM files; null serves plain HTTP. */
  readonly ssl: null | { readonly cert: string; readonly key: string }
  /** Clients use HTTPS: configured, or implied by `ssl` or an https `svcDomain`. */
  readonly assumeHTTPS: boolean
  /** Networks in CIDR notation. */
  readonly trustedProxies: readonly string[]
  readonly uploadWhitelist: readonly string[]
  /** Seconds; 0 sends no header. */
  readonly hstsMaxAge: number
  /** 0 means no limit. */
  readonly maxConnectionsPerAddress: number
  /** Bytes a second; 0 means no limit. */
  readonly minUploadSpeed: number
  /** -1 means unlimited, as for `maxUserSize`; never 0. */
  readonly maxFileSize: number
  readonly maxUserSize: number
  /** -1 means that uploads never expire by default; never 0. */
  readonly defaultTTL: number
  /** 0 or -1 means no limit (docs/protocol.md#limits). */
  readonly maxTTL: number
  readonly maxFilePerUpload: number
  readonly minFreeSpace: number
  /** Budgets of each network and each account within an hour. */
  readonly budgets: Budgets
  readonly dataBackend: DataBackendConfig
  /** Whether the store may serve public files itself. */
  readonly directDownloads: boolean
  readonly metadataBackend: MetadataBackendConfig
  readonly webappDirectory: string
  readonly clientsDirectory: string
  readonly changelogDirectory: string
  readonly logLevel: OptionValues['LogLevel']
  /** `auto` is `pretty` on a terminal and `json` elsewhere. */
  readonly logFormat: OptionValues['LogFormat']
  /** At least 1, and short enough for a timer, as the two below; they may not be unlimited. */
  readonly cleaningInterval: number
  /** Seconds that rows of removed uploads are kept after their bytes are deleted; -1 means forever. */
  readonly retention: number
  /** 0 disables verification. */
  readonly verifyInterval: number
  /** At least 0. */
  readonly shutdownTimeout: number
  /** At least 1. */
  readonly streamTimeout: number
  /** Seconds that an unfinished upload waits for its next part. */
  readonly resumableTTL: number
  /** Processes that share the port. */
  readonly workers: number
  /** Address of the metrics listener; null disables metrics. */
  readonly metrics: null | { readonly address: string; readonly port: number }
  /** Address at which other instances reach this one (`http://10.0.0.5:8081`); empty for this machine only. */
  readonly instanceURL: string
  readonly activityAddresses: boolean
  readonly abuseContact: string
  readonly features: Features
  readonly accounts: AccountsConfig
  readonly notifications: NotificationsConfig
}

/** Converts the parsed values of all keys to the configuration of the program. */
export function configOf(values: OptionValues): Config {
  return {
    listenAddress: values.ListenAddress,
    listenPort: values.ListenPort,
    path: values.Path,
    svcDomain: values.SvcDomain,
    downloadDomain: values.DownloadDomain,
    downloadDomainAlias: values.DownloadDomainAlias,
    ssl: values.SslEnabled ? { cert: values.SslCert, key: values.SslKey } : null,
    assumeHTTPS: values.AssumeHTTPS || values.SslEnabled || values.SvcDomain.startsWith('https:'),
    trustedProxies: values.TrustedProxies,
    uploadWhitelist: values.UploadWhitelist,
    hstsMaxAge: values.HSTSMaxAgeStr,
    maxConnectionsPerAddress: values.MaxConnectionsPerAddress,
    minUploadSpeed: values.MinUploadSpeedStr,
    maxFileSize: values.MaxFileSizeStr,
    maxUserSize: values.MaxUserSizeStr,
    defaultTTL: values.DefaultTTLStr,
    maxTTL: values.MaxTTLStr,
    maxFilePerUpload: values.MaxFilePerUpload,
    minFreeSpace: values.MinFreeSpaceStr,
    budgets: budgetsOf(values),
    dataBackend: dataBackendOf(values),
    directDownloads: values.DirectDownloads,
    metadataBackend: metadataBackendOf(values),
    webappDirectory: values.WebappDirectory,
    clientsDirectory: values.ClientsDirectory,
    changelogDirectory: values.ChangelogDirectory,
    logLevel: values.LogLevel,
    logFormat: values.LogFormat,
    cleaningInterval: values.CleaningIntervalStr,
    retention: values.RetentionStr,
    verifyInterval: values.VerifyIntervalStr,
    shutdownTimeout: values.ShutdownTimeoutStr,
    streamTimeout: values.StreamTimeoutStr,
    resumableTTL: values.ResumableTTLStr,
    workers: values.Workers,
    metrics: values.MetricsPort === 0 ? null : { address: values.MetricsAddress, port: values.MetricsPort },
    instanceURL: values.InstanceURL,
    activityAddresses: values.ActivityAddresses,
    abuseContact: values.AbuseContact,
    features: featuresOf(values),
    accounts: accountsOf(values),
    notifications: notificationsOf(values),
  }
}

function dataBackendOf(values: OptionValues): DataBackendConfig {
  switch (values.DataBackend) {
    case 'file':
      return {
        kind: 'file',
        directory: values['DataBackendConfig.Directory'],
        fsync: values.FsyncUploads,
      }
    case 's3':
      return s3Of(values)
    case 'swift':
      return swiftOf(values)
    case 'gcs':
      return gcsOf(values)
    case 'memory':
      return { kind: 'memory' }
  }
}

const budgetsOf = (values: OptionValues): Budgets => ({
  uploads: values.BudgetUploads,
  files: values.BudgetFiles,
  bytes: values.BudgetBytesStr,
  cliCodes: values.BudgetCliCodes,
  passwordUploads: values.BudgetPasswordUploads,
  qrCodes: values.BudgetQrCodes,
  exempt: values.BudgetExempt,
})

function metadataBackendOf(values: OptionValues): MetadataBackendConfig {
  const driver = values['MetadataBackendConfig.Driver']
  const connectionString = values['MetadataBackendConfig.ConnectionString']
  if (driver === 'sqlite3') return { driver, connectionString, fsync: values.FsyncUploads }
  return { driver, connectionString, maxConnections: values['MetadataBackendConfig.MaxConnections'] }
}

function featuresOf(values: OptionValues): Features {
  return {
    feature_authentication: values.FeatureAuthentication,
    feature_one_shot: values.FeatureOneShot,
    feature_removable: values.FeatureRemovable,
    feature_stream: values.FeatureStream,
    feature_password: values.FeaturePassword,
    feature_comments: values.FeatureComments,
    feature_set_ttl: values.FeatureSetTTL,
    feature_extend_ttl: values.FeatureExtendTTL,
    feature_text: values.FeatureText,
    feature_requests: values.FeatureRequests,
    feature_e2ee: values.FeatureE2EE,
    feature_local_login: values.FeatureLocalLogin,
    feature_delete_account: values.FeatureDeleteAccount,
    feature_clients: values.FeatureClients,
    feature_api_tokens: values.FeatureApiTokens,
    feature_mail: values.FeatureMail,
    feature_previews: values.FeaturePreviews,
  }
}
