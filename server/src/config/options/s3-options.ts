import { boolean, choice, integer, size, text, type ValueParser } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'

const mebibyte = 1024 * 1024

/** S3 takes no smaller parts, and each is held in memory. */
const partSize: ValueParser<number> = {
  expects: 'a size from 5 MiB to 1 GiB',
  hint: 'for example `16MiB`',
  parse: (input, base) => {
    const bytes = size.parse(input, base)
    return bytes !== undefined && bytes >= 5 * mebibyte && bytes <= 1024 * mebibyte ? bytes : undefined
  },
}

/** A part of a name that no server or client takes for anything else. */
const namePrefix: ValueParser<string> = {
  expects: 'a text of letters, digits, `.`, `_`, `-` and `/`',
  hint: 'for example `svc/`',
  parse: (input) => {
    if (typeof input !== 'string' || !/^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/.test(input)) return undefined
    return input
  },
}

/** Where objects are kept; the section of the configuration is that of all data backends. */
export const s3Options = {
  'DataBackendConfig.Endpoint': {
    kind: optionalAddress,
    default: '',
    help: 'Address of the store of `s3`, for example `https://s3.example`, or of `gcs`. Empty: Amazon S3 in Region, or Google Cloud Storage.',
  },
  'DataBackendConfig.Region': {
    kind: text,
    default: '',
    help: 'Region of `s3` (empty: `us-east-1`), and of `swift` with AuthVersion 3 (empty: the first one).',
  },
  'DataBackendConfig.AccessKeyID': {
    kind: text,
    default: '',
    help: 'Access key of `s3`. Empty: what the AWS SDK finds (its environment variables and profiles, the role of the machine or container).',
  },
  'DataBackendConfig.SecretAccessKey': {
    kind: text,
    default: '',
    help: 'Secret of that access key.',
    secret: true,
  },
  'DataBackendConfig.Bucket': { kind: text, default: '', help: 'Bucket of `s3` or `gcs`. It has to exist.' },
  'DataBackendConfig.Prefix': {
    kind: namePrefix,
    default: '',
    help: 'Beginning of the name of every object of `s3` or `gcs`, for a bucket that is shared with others.',
  },
  'DataBackendConfig.PathStyle': {
    kind: boolean,
    default: false,
    help: 'The bucket is part of the path of `s3`, not of the name of the host: for most stores that are not of AWS.',
  },
  'DataBackendConfig.PartSize': {
    kind: partSize,
    default: '16MiB',
    help: 'Larger files go to `s3` in parts of this size, which are held in memory. A file has at most 10,000 parts.',
  },
  'DataBackendConfig.PartConcurrency': {
    kind: integer(1, 64),
    default: 4,
    help: 'Most parts of one upload that are held in memory.',
  },
  'DataBackendConfig.SSE': {
    kind: choice(['none', 'AES256', 'aws:kms']),
    default: 'none',
    help: 'Encryption that `s3` is asked for. `none`: what the bucket does by itself.',
  },
} as const satisfies Record<string, Option<unknown>>
