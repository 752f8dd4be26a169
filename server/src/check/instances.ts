import { warn, type Finding } from '@svc/terminal'
import { isLoopback } from './base/loopback.ts'
import type { CheckContext } from './base/context.ts'

const about = 'InstanceURL'

/** Checks that the other servers which InstanceURL announces can have the same database and the same files. */
export function checkInstances({ config }: CheckContext): readonly Finding[] {
  const { instanceURL, metadataBackend, dataBackend } = config
  if (instanceURL === '' || isLoopback(new URL(instanceURL).hostname.replaceAll(/[[\]]/g, ''))) return []
  const findings: Finding[] = []
  if (metadataBackend.driver === 'sqlite3')
    findings.push(
      warn(
        about,
        'servers on other machines are expected, but cannot share an SQLite database: each would have its own uploads and ' +
          'users. Set MetadataBackendConfig.Driver to postgres or mysql, or remove InstanceURL',
      ),
    )
  if (dataBackend.kind === 'memory')
    findings.push(
      warn(
        about,
        'servers on other machines are expected, but DataBackend = "memory" keeps files in this process: use an object store',
      ),
    )
  // A directory may be shared, for example over NFS. With SQLite, the first finding says enough.
  if (dataBackend.kind === 'file' && findings.length === 0)
    findings.push(
      warn(
        about,
        `servers on other machines are expected: do all of them mount the same file system at ${dataBackend.directory}? ` +
          'If not, use an object store (DataBackend)',
      ),
    )
  return findings
}
