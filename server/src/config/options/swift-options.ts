import { size, text, type ValueParser } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'
import { mebibyte } from '../../domain/sizes.ts'

/** Each segment is held in memory, and a cluster usually accepts no object above 5 GiB. */
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

/** A slash would end the name of the container. */
const containerName: ValueParser<string> = {
  expects: 'a name without a slash',
  parse: (input, base) => {
    const name = text.parse(input, base)
    return name === undefined || name.includes('/') ? undefined : name
  },
}

/** Options of `swift`; all data backends share the section `DataBackendConfig`. */
export const swiftOptions = {
  'DataBackendConfig.AuthURL': {
    kind: optionalAddress,
    default: '',
    help: 'Address at which `swift` signs in, for example `https://keystone.example:5000/v3`, or `https://swift.example/auth/v1.0` for AuthVersion 1.',
  },
  'DataBackendConfig.AuthVersion': {
    kind: authVersion,
    default: 3,
    help: 'Protocol of the sign-in of `swift`: 3 for Keystone, 1 for TempAuth and Ceph.',
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
    help: 'Name of the Keystone project of `swift`. Required by AuthVersion 3.',
  },
  'DataBackendConfig.Container': {
    kind: containerName,
    default: '',
    help: 'Container of `swift`. The first start creates it if it does not exist.',
  },
  'DataBackendConfig.SegmentSize': {
    kind: segmentSize,
    default: '32MiB',
    help: 'Size of the segments in which larger files are sent to `swift`; segments are held in memory. MaxFileSizeStr is at most 500 segments.',
  },
} as const satisfies Record<string, Option<unknown>>
