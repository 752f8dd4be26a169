import { McpServer, StdioServerTransport } from './packages.ts'
import type { Commands } from '../program/command.ts'
import type { ServerArgs } from '../config/target.ts'
import type { Program } from '../program/program.ts'
import { version } from '../program/version.ts'
import { confine } from './confinement.ts'
import { addDownloadTool } from './download-tool.ts'
import { addInfoTool } from './info-tool.ts'
import { addUploadTools } from './upload-tools.ts'

/** The options of every command that a tool runs. */
const serverOptions = ({ server, token, profile, insecure }: ServerArgs): string[] => [
  ...(server === undefined ? [] : [`--server=${server}`]),
  ...(token === undefined ? [] : [`--token=${token}`]),
  ...(profile === undefined ? [] : [`--profile=${profile}`]),
  ...(insecure === true ? ['--insecure'] : []),
]

/**
 * The response to a line that is not a message (JSON-RPC 2.0, “Error object”), without an id.
 * @returns undefined for other errors
 */
function parseErrorResponse(error: Error): object | undefined {
  if (error instanceof SyntaxError)
    return { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } }
  if (error.name === 'ZodError')
    return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid Request' } }
  return undefined
}

export interface McpArgs extends ServerArgs {
  readonly folder?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** Serves the tools on standard input and output until the MCP client disconnects. */
export async function serveTools(
  program: Program,
  commands: Commands,
  { folder = '.', overwrite = false, ...args }: McpArgs,
): Promise<void> {
  const confinement = await confine(program.directory, folder)
  const server = new McpServer(
    { name: 'svc', title: 'Svc: temporary file uploads', version },
    {
      instructions:
        'Uploads files to a server that keeps them for a limited time, and downloads them. File contents do not ' +
        `pass through you: files are named by their paths in ${confinement.folder}, and downloads are written there.`,
    },
  )
  const context = {
    program,
    commands,
    serverOptions: serverOptions(args),
    confinement,
    mayOverwrite: overwrite,
  }
  addUploadTools(server, context)
  addDownloadTool(server, context)
  addInfoTool(server, context, args)

  const disconnected = Promise.withResolvers<undefined>()
  const end = () => {
    disconnected.resolve(undefined)
  }
  program.input.once('end', end).once('close', end)
  program.interrupted.addEventListener('abort', end, { once: true })
  server.server.onerror = (error) => {
    const response = parseErrorResponse(error)
    if (response !== undefined) program.output.write(`${JSON.stringify(response)}\n`)
  }
  await server.connect(new StdioServerTransport(program.input, program.output))
  await disconnected.promise
  // Cancels the running commands, which remove their unfinished uploads.
  await server.close()
}
