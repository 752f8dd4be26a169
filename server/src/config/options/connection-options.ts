import { duration, integer, size } from '../values/value-parsers.ts'
import type { Option } from './option.ts'

/** Limits of connections. */
export const connectionOptions = {
  HSTSMaxAgeStr: {
    kind: duration,
    default: '365d',
    help: 'Time for which browsers use only HTTPS for this host, on any port (`Strict-Transport-Security`); 0 sends no header.',
  },
  MaxConnectionsPerAddress: {
    kind: integer(0),
    default: 512,
    help: 'Maximum number of connections of one client (an IPv4 address, or an IPv6 /64) to each process. TrustedProxies are not limited. 0 means no limit.',
  },
  MinUploadSpeedStr: {
    kind: size,
    default: '1 kB',
    help: 'Minimum upload speed of files in bytes per second, averaged over a minute; slower uploads fail with 408. A stream that waits for its recipient is exempt. 0 means no limit.',
  },
} as const satisfies Record<string, Option<unknown>>
