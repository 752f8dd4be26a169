import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { findTarget, type ServerArgs } from '../config/target.ts'
import { errorMessage } from '../errors/error-message.ts'
import { connect } from '../http/connect.ts'
import { version } from '../program/version.ts'
import { serverResultSchema } from './result-schemas.ts'
import { toolError, toolResult, type ToolContext } from './tool.ts'

export function addInfoTool(
  server: McpServer,
  { program, confinement, mayOverwrite }: ToolContext,
  args: ServerArgs,
): void {
  server.registerTool(
    'server_info',
    {
      title: 'About the server',
      description: 'The server that files are sent to, and its limits: sizes in bytes, times in seconds.',
      outputSchema: serverResultSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async () => {
      try {
        const target = await findTarget(program, args)
        if (target.server === undefined) return toolError('no server is configured: svc config server URL')
        const client = connect(program, target, target.server)
        const [configuration, about] = await Promise.all([client.configuration(), client.version()])
        const { maxFileSize, maxUserSize, defaultTTL, maxTTL, maxFilePerUpload, ...rest } = configuration
        const features = Object.entries(rest).filter(([name]) => name.startsWith('feature_'))
        return toolResult({
          server: target.server,
          loggedIn: target.token !== undefined,
          folder: confinement.folder,
          mayOverwrite,
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
