import { boolean, choice, integer, size, text, type ValueParser } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'
import { mebibyte } from '../../domain/sizes.ts'

/** S3 accepts no smaller parts, and each part is held in memory. */
const partSize: ValueParser<number> = {
  expects: 'a size from 5 MiB to 1 GiB',
  hint: 'for example `16MiB`',
  parse: (input, base) => {
    const bytes = size.parse(input, base)
    return bytes !== undefined && bytes >= 5 * mebibyte && bytes <= 1024 * mebibyte ? bytes : undefined
  },
}

/** A prefix that servers and clients do not interpret. */
const namePrefix: ValueParser<string> = {
  expects: 'a text of letters, digits, `.`, `_`, `-` and `/`',
  hint: 'for example `svc/`',
  parse: (input) => {
    if (typeof input !== 'string' || !/^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/.test(input)) return undefined
    return input
  },
}

/** Options of `s3` and `gcs`; all data backends share the section `DataBackendConfig`. */
export const s3Options = {
  'DataBackendConfig.Endpoint': {
    kind: optionalAddress,
    default: '',
    help: 'Address of an `s3` store, for example `https://s3.example`, or of `gcs`. Empty: Amazon S3 in Region, or Google Cloud Storage.',
  },
  'DataBackendConfig.Region': {
    kind: text,
    default: '',
    help: 'Region of `s3` (empty: `us-east-1`), and of `swift` with AuthVersion 3 (empty: the first one).',
  },
  'DataBackendConfig.AccessKeyID': {
    kind: text,
    default: '',
    help: 'Access key of `s3`. Empty: the credentials that the AWS SDK finds (environment variables, profiles, or the role of the machine or container).',
  },
  'DataBackendConfig.SecretAccessKey': {
    kind: text,
    default: '',
    help: 'Secret of that access key.',
    secret: true,
  },
  'DataBackendConfig.Bucket': { kind: text, default: '', help: 'Bucket of `s3` or `gcs`. It must exist.' },
  'DataBackendConfig.Prefix': {
    kind: namePrefix,
    default: '',
    help: 'Prefix of the names of all objects of `s3` or `gcs`, for a shared bucket.',
  },
  'DataBackendConfig.PathStyle': {
    kind: boolean,
    default: false,
    help: 'The bucket of `s3` is part of the path, not of the host name: for most stores outside AWS.',
  },
  'DataBackendConfig.PartSize': {
    kind: partSize,
    default: '16MiB',
    help: 'Size of the parts in which larger files are sent to `s3`; parts are held in memory. A file has at most 10,000 parts.',
  },
  'DataBackendConfig.PartConcurrency': {
    kind: integer(1, 64),
    default: 4,
    help: 'Maximum number of parts of one upload in memory.',
  },
  'DataBackendConfig.SSE': {
    kind: choice(['none', 'AES256', 'aws:kms']),
    default: 'none',
    help: 'Server-side encryption of `s3`. `none`: the default of the bucket.',
  },
} as const satisfies Record<string, Option<unknown>>
