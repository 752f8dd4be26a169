import { size, text, type ValueParser } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'

const mebibyte = 1024 * 1024

/** Each is held in memory, and a cluster usually takes no object above 5 GiB. */
const segmentSize: ValueParser<number> = {
  expects: 'a size from 1 MiB to 1 GiB',
  hint: 'for example `32MiB`',
  parse: (input, base) => {
    const bytes = size.parse(input, base)
    return bytes !== undefined && bytes >= mebibyte && bytes <= 1024 * mebibyte ? bytes : undefined
  },
}

const authVersion: ValueParser<'1' | '3'> = {
  expects: '1 or 3',
  parse: (input) => (['1', '3'] as const).find((version) => version === String(input)),
}

/** A slash would part the name. */
const containerName: ValueParser<string> = {
  expects: 'a name without a slash',
  parse: (input, base) => {
    const written = text.parse(input, base)
    return written === undefined || written.includes('/') ? undefined : written
  },
}

/** Where objects of Swift are kept; the section of the configuration is that of all data backends. */
export const swiftOptions = {
  'DataBackendConfig.AuthURL': {
    kind: optionalAddress,
    default: '',
    help: 'Where `swift` signs in, for example `https://keystone.example:5000/v3`, or `https://swift.example/auth/v1.0` for AuthVersion 1.',
  },
  'DataBackendConfig.AuthVersion': {
    kind: authVersion,
    default: 3,
    help: 'How `swift` signs in: 3 is Keystone, 1 the way of Swift itself (TempAuth) and of Ceph.',
  },
  'DataBackendConfig.UserName': { kind: text, default: '', help: 'User of `swift`.' },
  'DataBackendConfig.ApiKey': {
    kind: text,
    default: '',
    help: 'Password or key of that user.',
    secret: true,
  },
  'DataBackendConfig.Domain': {
    kind: text,
    default: 'Default',
    help: 'Name of the Keystone domain of the user and the project of `swift`.',
  },
  'DataBackendConfig.Project': {
    kind: text,
    default: '',
    help: 'Name of the Keystone project of `swift`. Needed by AuthVersion 3.',
  },
  'DataBackendConfig.Container': {
    kind: containerName,
    default: '',
    help: 'Container of `swift`. It is made when it does not exist.',
  },
  'DataBackendConfig.SegmentSize': {
    kind: segmentSize,
    default: '32MiB',
    help: 'Larger files go to `swift` in segments of this size, which are held in memory. MaxFileSizeStr is at most 500 of them.',
  },
} as const satisfies Record<string, Option<unknown>>
