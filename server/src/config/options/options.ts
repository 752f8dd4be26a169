import {
  boolean,
  choice,
  database,
  duration,
  integer,
  lifetime,
  list,
  optionalPath,
  path,
  schedule,
  size,
  sizeLimit,
  text,
  timer,
  type ValueParser,
} from '../values/value-parsers.ts'
import { accounts, providers } from './account-options.ts'
import { connectionOptions } from './connection-options.ts'
import { budgetOptions } from './budget-options.ts'
import { featureOptions } from './feature-options.ts'
import { notificationOptions } from './notification-options.ts'
import type { Option } from './option.ts'
import { s3Options } from './s3-options.ts'
import { swiftOptions } from './swift-options.ts'
import {
  host,
  instanceAddress,
  networks,
  optionalOrigin,
  origin,
  urlPath,
} from '../values/web-value-parsers.ts'

const origins = list(origin, 'http or https addresses', 'https://files.example')

const networking = {
  ListenAddress: {
    kind: host,
    default: '127.0.0.1',
    help: 'Address to listen on. `0.0.0.0` or `::` listens on every network.',
  },
  ListenPort: { kind: integer(0, 65_535), default: 8080, help: 'Port to listen on; 0 uses any free port.' },
  Path: { kind: urlPath, default: '', help: 'Prefix of every URL path, for example `/files`.' },
  SvcDomain: {
    kind: optionalOrigin,
    default: '',
    help: 'Public address of the service, for example `https://svc.example`. Empty: links use the address that the client used.',
  },
  DownloadDomain: {
    kind: optionalOrigin,
    default: '',
    help: 'Separate public address for files and archives, so that their content has another origin.',
  },
  DownloadDomainAlias: {
    kind: origins,
    default: [],
    help: 'Additional addresses that serve files and archives without a redirect to DownloadDomain.',
  },
  SslEnabled: { kind: boolean, default: false, help: 'Serve HTTPS; needs SslCert and SslKey.' },
  SslCert: { kind: optionalPath, default: '', help: 'File with the certificate chain (PEM).' },
  SslKey: { kind: optionalPath, default: '', help: 'File with the private key (PEM).' },
  AssumeHTTPS: {
    kind: boolean,
    default: false,
    help: 'Clients use HTTPS through a proxy. Implied by SslEnabled and by an `https` SvcDomain.',
  },
  TrustedProxies: {
    kind: networks,
    default: [],
    help: 'Networks of reverse proxies. The client address is the right-most address in `X-Forwarded-For` outside these networks.',
  },
  UploadWhitelist: {
    kind: networks,
    default: [],
    help: 'Networks whose clients can upload and sign up. Empty: all. Signed-in users can upload from any network.',
  },
  ...connectionOptions,
} as const satisfies Record<string, Option<unknown>>

const limits = {
  MaxFileSizeStr: { kind: sizeLimit, default: '10 GB', help: 'Maximum file size.' },
  MaxUserSizeStr: { kind: sizeLimit, default: '-1', help: 'Quota of one user: maximum size of all files.' },
  DefaultTTLStr: {
    kind: lifetime(1),
    default: '30d',
    help: 'Default time to live of an upload. At most MaxTTLStr.',
  },
  MaxTTLStr: {
    kind: lifetime(0),
    default: '30d',
    help: 'Maximum time to live of an upload; 0 means no limit.',
  },
  MaxFilePerUpload: { kind: integer(1), default: 1000, help: 'Maximum number of files in one upload.' },
  MinFreeSpaceStr: {
    kind: size,
    default: '1 GB',
    help: 'Free space to reserve on the disks of the data directory and of an SQLite database. Uploads (including running ones) and other writes that would use it fail with 507. Logins may use all but an eighth of it.',
  },
} as const satisfies Record<string, Option<unknown>>

const storage = {
  DataBackend: {
    kind: choice(['file', 's3', 'swift', 'gcs', 'memory']),
    default: 'file',
    help: 'Where the bytes of files are stored: `file` (a directory), `s3` (a bucket of Amazon S3 or of a compatible store), `swift` (a container of OpenStack Swift), `gcs` (a bucket of Google Cloud Storage) or `memory` (lost when the server stops; for tests).',
  },
  'DataBackendConfig.Directory': {
    kind: path,
    default: 'files',
    help: 'Directory of the `file` backend.',
  },
  ...s3Options,
  ...swiftOptions,
  'DataBackendConfig.KeyFile': {
    kind: optionalPath,
    default: '',
    help: 'File with credentials of `gcs` (JSON). Empty: the application default credentials (`GOOGLE_APPLICATION_CREDENTIALS`, or the service account of the machine or container).',
  },
  DirectDownloads: {
    kind: boolean,
    default: false,
    help: 'Redirect downloads of public files to the store, with a presigned URL that is valid for five minutes. Supported by `s3`, and by `gcs` with the key file of a service account. See [storage](storage.md).',
  },
  FsyncUploads: {
    kind: boolean,
    default: true,
    help: 'Respond only after files and changes of an SQLite database are on the disk, so that confirmed uploads survive a power failure. See [databases](databases.md#what-a-power-cut-leaves).',
  },
  'MetadataBackendConfig.Driver': {
    kind: choice(['sqlite3', 'postgres', 'mysql']),
    default: 'sqlite3',
    help: 'Database for everything but the bytes of files. `mysql` includes MariaDB.',
  },
  'MetadataBackendConfig.ConnectionString': {
    kind: database,
    default: 'svc.db',
    help: 'Path of the database file of `sqlite3`; address of the database of `postgres` and `mysql`.',
    secret: true,
  },
  'MetadataBackendConfig.MaxConnections': {
    kind: integer(2, 1000),
    default: 10,
    help: 'Maximum number of connections of one process to a `postgres` or `mysql` database.',
  },
  WebappDirectory: {
    kind: path,
    default: '../webapp/dist',
    help: 'Directory of the built web application.',
    defaultBase: 'server package',
  },
  ClientsDirectory: {
    kind: path,
    default: '../clients',
    help: 'Directory of the command-line clients offered for download.',
    defaultBase: 'server package',
  },
  ChangelogDirectory: {
    kind: path,
    default: '../changelog',
    help: 'Directory of the release notes, one file per version.',
    defaultBase: 'server package',
  },
} as const satisfies Record<string, Option<unknown>>

const operation = {
  LogLevel: {
    kind: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    help: 'Minimum level of log messages.',
  },
  LogFormat: {
    kind: choice(['auto', 'pretty', 'json']),
    default: 'auto',
    help: '`auto` is `pretty` on a terminal and `json` elsewhere.',
  },
  CleaningIntervalStr: {
    kind: timer(1),
    default: '5m',
    help: 'Interval of the cleanup, which removes expired uploads.',
  },
  RetentionStr: {
    kind: lifetime(0),
    default: '7d',
    help: 'Time that the rows of a removed upload stay in the database after its bytes are deleted. The rows then hold no names, comments, addresses or hashes. 0 deletes them with the next cleanup.',
  },
  VerifyIntervalStr: {
    kind: schedule,
    default: '0',
    help: 'Interval of the verification, which compares the database with the data store (`svcd verify`); 0 disables it. One instance at a time verifies, and repairs nothing. See [operating](operating.md#do-database-and-data-agree).',
  },
  ShutdownTimeoutStr: {
    kind: timer(0),
    default: '60s',
    help: 'Time for running transfers to finish when the server stops.',
  },
  ResumableTTLStr: {
    kind: duration,
    default: '24h',
    help: 'Time that an unfinished resumable upload waits for its next part, at most until the upload expires.',
  },
  StreamTimeoutStr: {
    kind: timer(1),
    default: '5m',
    help: 'Time that one side of a stream waits for the other.',
  },
  Workers: {
    kind: integer(1, 64),
    default: 1,
    help: 'Number of processes that share the port, for machines with several processors.',
  },
  MetricsAddress: {
    kind: host,
    default: '127.0.0.1',
    help: 'Address of the metrics listener. It requires no password.',
  },
  MetricsPort: {
    kind: integer(0, 65_535),
    default: 0,
    help: 'Port of `/metrics` (Prometheus) and `/ready`; 0 disables metrics.',
  },
  InstanceURL: {
    kind: instanceAddress,
    default: '',
    help: 'Address at which other instances on the same database reach this one to relay streams, for example `http://10.0.0.5:8081`. The server listens there; if the host is a name, on all networks. Empty: on this machine only.',
  },
  ActivityAddresses: {
    kind: boolean,
    default: false,
    help: 'Store the address of the client with each download of an upload, and show it to its sender, owner and admins (`GET /upload/{uploadID}/activity`).',
  },
  AbuseContact: { kind: text, default: '', help: 'Contact address in the footer of the web application.' },
} as const satisfies Record<string, Option<unknown>>

/** The groups that the reference documentation shows. */
export const optionGroups = [
  { title: 'Network', options: networking },
  { title: 'Limits', options: limits },
  { title: 'Budgets', options: budgetOptions },
  { title: 'Storage', options: storage },
  { title: 'Operation', options: operation },
  { title: 'Features', options: featureOptions },
  { title: 'Notifications', options: notificationOptions },
  { title: 'Accounts', options: accounts },
  { title: 'Identity providers', options: providers },
] as const satisfies readonly { title: string; options: Record<string, Option<unknown>> }[]

const options = {
  ...networking,
  ...limits,
  ...budgetOptions,
  ...storage,
  ...operation,
  ...featureOptions,
  ...notificationOptions,
  ...accounts,
  ...providers,
}

/** A key as the configuration file spells it; members of a section are written `Section.Member`. */
export type OptionKey = keyof typeof options

/** Every key with its parsed value. */
export type OptionValues = {
  readonly [K in OptionKey]: (typeof options)[K]['kind'] extends ValueParser<infer T> ? T : never
}

export const optionKeys = Object.keys(options) as readonly OptionKey[]

export function optionOf(key: OptionKey): Option<unknown> {
  return options[key]
}

/** Names of the sections of the file, such as `DataBackendConfig`. */
export const sections: readonly string[] = [
  ...new Set(optionKeys.filter((key) => key.includes('.')).map((key) => key.slice(0, key.indexOf('.')))),
]
