import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type * as zod from 'zod'
import { z } from './packages.ts'
import { parseLink } from '../links/parse-link.ts'
import type { CapturedOutput } from './run-captured.ts'
import { createProgressReporter, type ToolCall } from './progress-reporter.ts'
import { downloadResultSchema } from './result-schemas.ts'
import {
  withErrorResult,
  commandResult,
  runToolCommand,
  textContent,
  toolError,
  type ToolContext,
} from './tool.ts'

/** Maximum size in bytes of a text that a model receives. */
const maxTextBytes = 1_000_000
const defaultTextBytes = 64_000

const inputSchema = z.strictObject({
  link: z.string().describe('Link of a page or of a file, or the id of an upload'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder to write the files to, in the folder of this server. Required unless return_text is set',
    ),
  files: z.array(z.string()).optional().describe('Only files whose name matches; * matches any text'),
  password: z
    .string()
    .optional()
    .describe('Password of a protected upload; LOGIN:PASSWORD if the login is not svc'),
  extract: z.boolean().optional().describe('Unpack zip and tar archives'),
  overwrite: z.boolean().optional().describe('Replace existing files, if that was granted'),
  return_text: z.boolean().optional().describe('Return the text of a single file, and write nothing'),
  max_bytes: z
    .number()
    .int()
    .min(1)
    .max(maxTextBytes)
    .optional()
    .describe(`With return_text: maximum length of the text (default: ${String(defaultTextBytes)} bytes)`),
})

export function addDownloadTool(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'download',
    {
      title: 'Download',
      description:
        'Writes the files of a link into a folder of this computer and returns their paths. Only with ' +
        'return_text does it return the content of a file.',
      inputSchema,
      outputSchema: downloadResultSchema,
      annotations: {
        readOnlyHint: false,
        destructiveHint: context.mayOverwrite,
        idempotentHint: true,
        openWorldHint: true,
      },
    },
    (args, call) => withErrorResult(() => download(context, args, call)),
  )
}

type DownloadArgs = zod.infer<typeof inputSchema>

async function download(
  context: ToolContext,
  { link, folder, files = [], password, extract, overwrite, return_text, max_bytes }: DownloadArgs,
  call: ToolCall,
): Promise<CallToolResult> {
  const { signal } = call
  // Refuses other addresses: svc get would download from any server that this computer reaches.
  parseLink(link)
  const commandLine = [
    'get',
    ...files.map((pattern) => `--file=${pattern}`),
    ...(password === undefined ? [] : [`--password=${password}`]),
  ]
  if (return_text === true) {
    const maxBytes = max_bytes ?? defaultTextBytes
    return textResult(
      await runToolCommand(context, [...commandLine, '--quiet', '--output=-'], [link], { signal, maxBytes }),
    )
  }
  if (folder === undefined) return toolError('folder is needed: the files are written there')
  if (overwrite === true && !context.mayOverwrite)
    return toolError('files may not be replaced: svc mcp was started without --overwrite')
  await context.confinement.requireInside(folder)
  const saveArgs = [
    ...(extract === true ? ['--extract'] : []),
    ...(overwrite === true ? ['--yes'] : []),
    // The slash makes it a folder, even if it does not exist.
    `--output=${folder}/`,
  ]
  const onProgress = createProgressReporter(call, context.program.clock)
  const output = await runToolCommand(context, [...commandLine, '--json', ...saveArgs], [link], {
    signal,
    onProgress,
  })
  // An error is an object, and results are a list.
  const toObject = (value: unknown) =>
    Array.isArray(value) ? { files: value } : (value as Record<string, unknown>)
  return commandResult(output, { toObject, schema: downloadResultSchema })
}

function textResult({ status, stdoutFile, stderr }: CapturedOutput): CallToolResult {
  if (status !== 0) return toolError(stderr)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(stdoutFile)
    return { content: textContent(text), structuredContent: { text } }
  } catch {
    return toolError('not a text file: download it into a folder')
  }
}
