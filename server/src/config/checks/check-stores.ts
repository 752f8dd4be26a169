import type { CrossFieldProblem } from './cross-field-check.ts'
import type { OptionKey, OptionValues } from '../options/options.ts'

const because = ['DataBackend'] as const

/** What the store of `DataBackend` needs, and was not told. */
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
      return [...login(values), ...largestFile(values)]
  }
}

const needs = (key: OptionKey, why: string): CrossFieldProblem => ({
  key,
  because,
  message: `is missing: ${why}`,
})

function bucket(values: OptionValues): readonly CrossFieldProblem[] {
  const isMissing = values['DataBackendConfig.Bucket'] === ''
  return isMissing ? [needs('DataBackendConfig.Bucket', 'write the name of the bucket')] : []
}

function keyPair(values: OptionValues): readonly CrossFieldProblem[] {
  const id = values['DataBackendConfig.AccessKeyID']
  const secret = values['DataBackendConfig.SecretAccessKey']
  return [
    ...(id === '' && secret !== ''
      ? [needs('DataBackendConfig.AccessKeyID', 'the secret belongs to one')]
      : []),
    ...(id !== '' && secret === '' ? [needs('DataBackendConfig.SecretAccessKey', 'the key needs it')] : []),
  ]
}

function login(values: OptionValues): readonly CrossFieldProblem[] {
  const wanted = [
    ['DataBackendConfig.AuthURL', 'write the address to sign in at'],
    ['DataBackendConfig.UserName', 'write the name of the user'],
    ['DataBackendConfig.ApiKey', 'write the password or key of the user'],
    ['DataBackendConfig.Container', 'write the name of the container'],
    ...(values['DataBackendConfig.AuthVersion'] === '3'
      ? ([['DataBackendConfig.Project', 'AuthVersion 3 needs the name of the project']] as const)
      : []),
  ] as const
  return wanted.filter(([key]) => values[key] === '').map(([key, why]) => needs(key, why))
}

/** Of the thousand segments that a large object may have, half may be small ones. */
const surelyWhole = 500

function largestFile(values: OptionValues): readonly CrossFieldProblem[] {
  const most = values['DataBackendConfig.SegmentSize'] * surelyWhole
  if (values.MaxFileSizeStr <= most) return []
  const message = `is too small for MaxFileSizeStr, which is at most ${String(surelyWhole)} segments: raise it`
  return [{ key: 'DataBackendConfig.SegmentSize', because: ['MaxFileSizeStr', 'DataBackend'], message }]
}
