/** Checkers of other projects: Spectral for OpenAPI descriptions, and the MCP Inspector. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isToolInstalled, tryInstallTool } from '../setup/install-tool.ts'

const tool = { folder: join(import.meta.dirname, 'checkers'), name: 'the checkers of the API' }

/** Why the tests with them are skipped; null when they are installed. */
export const checkersSkipReason: string | null = isToolInstalled(tool)
  ? null
  : 'Spectral and the MCP Inspector (npm test installs them)'

/** The program of the MCP Inspector. */
export const inspector = join(tool.folder, 'node_modules/.bin/mcp-inspector')

/** Loads an installed package. */
export const loadChecker = (name: string): unknown => createRequire(join(tool.folder, 'package.json'))(name)

/** @returns the error; null after success */
export const installCheckers = (): Promise<string | null> => tryInstallTool(tool)
