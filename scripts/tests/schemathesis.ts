/** Schemathesis tests an API against its OpenAPI description. */
import { join } from 'node:path'
import { PythonEnvironment } from './python-environment.ts'

const root = join(import.meta.dirname, '../..')
const environment = new PythonEnvironment(
  join(root, '.runtime/schemathesis'),
  join(root, 'server/test/http/openapi/schemathesis/requirements.txt'),
)

/** The path of the program. */
export const schemathesis = environment.program('schemathesis')

/** Why the tests with it are skipped; null when it is installed. */
export const schemathesisSkipReason: string | null = environment.isInstalled
  ? null
  : 'Schemathesis (npm test installs it, with python3-venv and a package index)'

/**
 * Installs it, unless it is there.
 * @returns the error; null after success
 */
export const installSchemathesis = (): string | null => environment.install()
