/** Third-party packages that only `svc mcp` needs. The bundle keeps them as a text until then (`scripts/bundle/deferred.ts`). */
import { array, boolean, enum as oneOf, number, object, record, strictObject, string } from 'zod'

export { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/** The functions of zod that svc uses, so that the bundle leaves out the others. */
export const z = { array, boolean, enum: oneOf, number, object, record, strictObject, string } as const
