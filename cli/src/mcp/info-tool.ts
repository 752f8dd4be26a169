import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { findTarget, type GivenServer } from '../config/target.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { version } from '../program/version.ts'
import { toolError, toolResult } from './tool.ts'

export function addInfoTool(server: McpServer, program: Program, given: GivenServer): void {
  server.registerTool(
    'server_info',
    {
      title: 'About the server',
      description: 'The server that files are sent to, and its limits: sizes in bytes, times in seconds.',
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async () => {
      try {
        const target = await findTarget(program, given)
        if (target.server === undefined) return toolError('no server is configured: svc config server URL')
        const client = connect(program, target, target.server)
        const [configuration, about] = await Promise.all([client.configuration(), client.version()])
        const { maxFileSize, maxUserSize, defaultTTL, maxTTL, maxFilePerUpload, ...rest } = configuration
        const features = Object.entries(rest).filter(([name]) => name.startsWith('feature_'))
        return toolResult({
          server: target.server,
          loggedIn: target.token !== undefined,
          versions: { server: about.version, svc: version },
          limits: { maxFileSize, maxUserSize, defaultTTL, maxTTL, maxFilePerUpload },
          features: Object.fromEntries(
            features.map(([name, value]) => [name.slice('feature_'.length), value]),
          ),
        })
      } catch (error) {
        return toolError(errorMessage(error))
      }
    },
  )
}
