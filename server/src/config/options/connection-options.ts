import { duration, integer, size } from '../values/value-parsers.ts'
import type { Option } from './option.ts'

/** What keeps clients and their connections in bounds. */
export const connectionOptions = {
  HSTSMaxAgeStr: {
    kind: duration,
    default: '365d',
    help: 'How long browsers that came over HTTPS use nothing else for this host (`Strict-Transport-Security`), on any port of it; 0 sends no such header.',
  },
  MaxConnectionsPerAddress: {
    kind: integer(0),
    default: 512,
    help: 'Most connections of one client (an IPv4 address, an IPv6 /64) to each process. TrustedProxies may have any number. 0 means no limit.',
  },
  MinUploadSpeedStr: {
    kind: size,
    default: '1 kB',
    help: 'Bytes a second that a body with a file must come with, as the mean of a minute; slower ones end with 408. A stream that waits for its downloader may stand still. 0 means no limit.',
  },
} as const satisfies Record<string, Option<unknown>>
