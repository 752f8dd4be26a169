import type { CrossFieldProblem } from './cross-field-check.ts'
import type { OptionKey, OptionValues } from '../options/options.ts'

const causes = ['DataBackend'] as const

/** Missing settings of the store that `DataBackend` selects. */
export function storeProblems(values: OptionValues): readonly CrossFieldProblem[] {
  switch (values.DataBackend) {
    case 'file':
    case 'memory':
      return []
    case 's3':
      return [...bucket(values), ...keyPair(values)]
    case 'gcs':
      return bucket(values)
    case 'swift':
      return [...login(values), ...segmentSize(values)]
  }
}

const missing = (key: OptionKey, why: string): CrossFieldProblem => ({
  key,
  because: causes,
  message: `is missing: ${why}`,
})

function bucket(values: OptionValues): readonly CrossFieldProblem[] {
  const isMissing = values['DataBackendConfig.Bucket'] === ''
  return isMissing ? [missing('DataBackendConfig.Bucket', 'write the name of the bucket')] : []
}

function keyPair(values: OptionValues): readonly CrossFieldProblem[] {
  const id = values['DataBackendConfig.AccessKeyID']
  const secret = values['DataBackendConfig.SecretAccessKey']
  return [
    ...(id === '' && secret !== ''
      ? [missing('DataBackendConfig.AccessKeyID', 'SecretAccessKey needs it')]
      : []),
    ...(id !== '' && secret === ''
      ? [missing('DataBackendConfig.SecretAccessKey', 'AccessKeyID needs it')]
      : []),
  ]
}

function login(values: OptionValues): readonly CrossFieldProblem[] {
  const required = [
    ['DataBackendConfig.AuthURL', 'write the address to sign in at'],
    ['DataBackendConfig.UserName', 'write the name of the user'],
    ['DataBackendConfig.ApiKey', 'write the password or key of the user'],
    ['DataBackendConfig.Container', 'write the name of the container'],
    ...(values['DataBackendConfig.AuthVersion'] === '3'
      ? ([['DataBackendConfig.Project', 'AuthVersion 3 needs the name of the project']] as const)
      : []),
  ] as const
  return required.filter(([key]) => values[key] === '').map(([key, why]) => missing(key, why))
}

/** A large object can have 1,000 segments, half of which may be small. */
const maxSegments = 500

function segmentSize(values: OptionValues): readonly CrossFieldProblem[] {
  const maxBytes = values['DataBackendConfig.SegmentSize'] * maxSegments
  if (values.MaxFileSizeStr <= maxBytes) return []
  const message = `is too small for MaxFileSizeStr, which is at most ${String(maxSegments)} segments: raise it`
  return [{ key: 'DataBackendConfig.SegmentSize', because: ['MaxFileSizeStr', 'DataBackend'], message }]
}
