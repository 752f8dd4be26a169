import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { limits } from '@svc/contract'
import type * as zod from 'zod'
import { z } from './packages.ts'
import { formats } from '../arguments/archive-format.ts'
import { progressReporter, type ToolCall } from './report-progress.ts'
import { uploadResult } from './results.ts'
import { orToolError, resultOf, runTool, type ToolContext } from './tool.ts'

const options = {
  ttl: z.string().optional().describe('Time to live: 90s, 12h, 30d (default: set by the server)'),
  one_shot: z.boolean().optional().describe('Each file can be downloaded once'),
  downloads: z
    .number()
    .int()
    .min(1)
    .max(limits.maxDownloads)
    .optional()
    .describe('How many times each file can be downloaded'),
  removable: z.boolean().optional().describe('Recipients can delete files'),
  password: z.string().optional().describe('Password for downloads; the login is svc'),
  comments: z.string().optional().describe('Comments shown on the page (Markdown)'),
  encrypt: z.boolean().optional().describe('Encrypt before the upload; the key is part of the links'),
  recipients: z
    .array(z.string())
    .optional()
    .describe(
      'Encrypt for these public keys instead: age1…, ssh-ed25519 …, ssh-rsa …, github:USER, or files of them',
    ),
}
type Options = { readonly [Name in keyof typeof options]?: zod.infer<(typeof options)[Name]> }

/** Option and value are one argument, so that text from a model never becomes an option. */
const lineOf = ({
  ttl,
  one_shot,
  downloads,
  removable,
  password,
  comments,
  encrypt,
  recipients = [],
}: Options): string[] => [
  ...(ttl === undefined ? [] : [`--ttl=${ttl}`]),
  ...(one_shot === undefined ? [] : [one_shot ? '--oneshot' : '--no-oneshot']),
  ...(downloads === undefined ? [] : [`--downloads=${String(downloads)}`]),
  ...(removable === undefined ? [] : [removable ? '--removable' : '--no-removable']),
  ...(password === undefined ? [] : [`--password=svc:${password}`]),
  ...(comments === undefined ? [] : [`--comments=${comments}`]),
  ...(encrypt === true ? ['--encrypt'] : []),
  ...recipients.map((key) => `--recipient=${key}`),
]

const secrets = ['uploadToken', 'adminURL']

/** The token that removes an upload stays on this computer (`svc rm`); a model does not receive it. */
const withoutSecrets = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => !secrets.includes(name)))

/** A warning may have the link with which an upload is deleted. */
const withoutToken = (text: string): string => text.replaceAll(/\buploadToken=\w+/g, 'uploadToken=…')

interface SendCall {
  readonly paths: readonly string[]
  readonly recipients?: readonly string[] | undefined
  readonly line: readonly string[]
}

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
}

export function addUploadTools(server: McpServer, context: ToolContext): void {
  const send = (
    { paths, recipients = [], line }: SendCall,
    call: ToolCall,
    input?: string,
  ): Promise<CallToolResult> =>
    orToolError(async () => {
      const { confinement, program } = context
      for (const path of input === undefined ? paths : []) await confinement.require(path)
      // A recipient may be a file of keys.
      for (const word of recipients) if (await confinement.exists(word)) await confinement.require(word)
      const { signal } = call
      const onProgress = progressReporter(call, program.clock)
      const options = { signal, onProgress, ...(input !== undefined && { input }) }
      const output = await runTool(context, ['upload', '--json', '--yes', ...line], paths, options)
      return resultOf(
        { ...output, stderr: withoutToken(output.stderr) },
        { shape: withoutSecrets, schema: uploadResult },
      )
    })

  server.registerTool(
    'upload_text',
    {
      title: 'Upload a text',
      description: 'Sends a text as a file and returns its links. For a file on the disk, use upload_file.',
      inputSchema: z.strictObject({
        text: z.string(),
        name: z.string().optional().describe('File name (default: text.txt)'),
        ...options,
      }),
      outputSchema: uploadResult,
      annotations,
    },
    ({ text, name = 'text.txt', ...given }, call) =>
      send({ ...given, paths: ['-'], line: [`--name=${name}`, ...lineOf(given)] }, call, text),
  )

  server.registerTool(
    'upload_file',
    {
      title: 'Upload a file',
      description:
        'Sends a file or a folder of this computer and returns its links, without reading it into the conversation.',
      inputSchema: z.strictObject({
        path: path(),
        name: z.string().optional().describe('File name for recipients (default: its own name)'),
        ...options,
      }),
      outputSchema: uploadResult,
      annotations,
    },
    ({ path, name, ...given }, call) => {
      const named = name === undefined ? [] : [`--name=${name}`]
      return send({ ...given, paths: [file(path)], line: [...named, ...lineOf(given)] }, call)
    },
  )

  server.registerTool(
    'upload_files',
    {
      title: 'Upload files',
      description: 'Sends files and folders of this computer as one upload and returns its links.',
      inputSchema: z.strictObject({
        paths: z.array(path()).min(1),
        archive: z.enum(formats).optional().describe('Send all of them as one archive'),
        ...options,
      }),
      outputSchema: uploadResult,
      annotations,
    },
    ({ paths, archive, ...given }, call) => {
      const packed = archive === undefined ? [] : [`--archive=${archive}`]
      return send({ ...given, paths: paths.map(file), line: [...packed, ...lineOf(given)] }, call)
    },
  )
}

const path = () =>
  z
    .string()
    .min(1)
    .describe('Absolute, or relative to the folder of this server. Nothing outside of it is read')

/** A single hyphen is standard input elsewhere; here it is the name of a file. */
const file = (path: string) => (path === '-' ? './-' : path)
