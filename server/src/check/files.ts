import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, warn, type Finding } from '@svc/terminal'
import type { CheckContext } from './base/context.ts'

/** Checks that the web application exists and that other users cannot read files with secrets. */
export async function checkFiles({ config, origin }: CheckContext): Promise<readonly Finding[]> {
  const { dataBackend, metadataBackend, ssl, webappDirectory } = config
  const index = await modeOf(join(webappDirectory, 'index.html'))
  const webapp =
    index === null
      ? warn(
          'webapp',
          `no web application in ${webappDirectory}: only the API is served (npm run build -w webapp)`,
        )
      : ok('webapp', `the web application is in ${webappDirectory}`)
  const secrets = origin.secrets.join(', ')
  return [
    webapp,
    ...(origin.file !== null && secrets !== ''
      ? await privateFindings('configuration', origin.file, `it holds ${secrets}`)
      : []),
    ...(dataBackend.kind === 'file'
      ? await privateFindings('data directory', dataBackend.directory, 'it holds all uploaded files')
      : []),
    ...(metadataBackend.driver === 'sqlite3'
      ? await privateFindings('database file', metadataBackend.connectionString, 'it holds keys and hashes')
      : []),
    ...(ssl === null ? [] : await privateFindings('SslKey', ssl.key, 'it is the private key')),
  ]
}

const readableByAll = 0o004

async function privateFindings(about: string, path: string, why: string): Promise<readonly Finding[]> {
  const mode = await modeOf(path)
  if (mode === null) return []
  if ((mode & readableByAll) === 0) return [ok(about, `other users of the machine cannot read ${path}`)]
  return [warn(about, `every user of the machine may read ${path}, and ${why}: chmod o-rwx ${path}`)]
}

/** @returns null when there is no such file */
async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode
  } catch {
    return null
  }
}
