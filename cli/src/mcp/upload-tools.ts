import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { limits } from '@svc/contract'
import type * as zod from 'zod'
import { z } from './packages.ts'
import { archiveFormats } from '../arguments/archive-format.ts'
import { createProgressReporter, type ToolCall } from './progress-reporter.ts'
import { uploadResultSchema } from './result-schemas.ts'
import { withErrorResult, commandResult, runToolCommand, type ToolContext } from './tool.ts'

/** The settings of an upload, which all upload tools have. */
const settingSchemas = {
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
type UploadSettings = {
  readonly [Name in keyof typeof settingSchemas]?: zod.infer<(typeof settingSchemas)[Name]>
}

/** The options of `svc upload`. Option and value are one argument, so that text from a model never becomes an option. */
const commandLineOptions = ({
  ttl,
  one_shot,
  downloads,
  removable,
  password,
  comments,
  encrypt,
  recipients = [],
}: UploadSettings): string[] => [
  ...(ttl === undefined ? [] : [`--ttl=${ttl}`]),
  ...(one_shot === undefined ? [] : [one_shot ? '--oneshot' : '--no-oneshot']),
  ...(downloads === undefined ? [] : [`--downloads=${String(downloads)}`]),
  ...(removable === undefined ? [] : [removable ? '--removable' : '--no-removable']),
  ...(password === undefined ? [] : [`--password=svc:${password}`]),
  ...(comments === undefined ? [] : [`--comments=${comments}`]),
  ...(encrypt === true ? ['--encrypt'] : []),
  ...recipients.map((key) => `--recipient=${key}`),
]

const secretFields = ['uploadToken', 'adminURL']

/** A model does not receive the token that deletes the upload: it stays on this computer, for `svc rm`. */
const withoutSecrets = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => !secretFields.includes(name)))

/** A warning may contain the link that deletes an upload. */
const withoutToken = (text: string): string => text.replaceAll(/\buploadToken=\w+/g, 'uploadToken=…')

/** An upload of a tool. */
interface SendInput {
  readonly paths: readonly string[]
  readonly recipients?: readonly string[] | undefined
  readonly options: readonly string[]
}

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
}

export function addUploadTools(server: McpServer, context: ToolContext): void {
  const send = (
    { paths, recipients = [], options }: SendInput,
    call: ToolCall,
    text?: string,
  ): Promise<CallToolResult> =>
    withErrorResult(async () => {
      const { confinement, program } = context
      for (const path of text === undefined ? paths : []) await confinement.requireInside(path)
      // A recipient may be a file of keys.
      for (const recipient of recipients)
        if (await confinement.exists(recipient)) await confinement.requireInside(recipient)
      const { signal } = call
      const onProgress = createProgressReporter(call, program.clock)
      const capture = { signal, onProgress, ...(text !== undefined && { input: text }) }
      const output = await runToolCommand(context, ['upload', '--json', '--yes', ...options], paths, capture)
      return commandResult(
        { ...output, stderr: withoutToken(output.stderr) },
        { toObject: withoutSecrets, schema: uploadResultSchema },
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
        ...settingSchemas,
      }),
      outputSchema: uploadResultSchema,
      annotations,
    },
    ({ text, name = 'text.txt', ...settings }, call) =>
      send(
        { ...settings, paths: ['-'], options: [`--name=${name}`, ...commandLineOptions(settings)] },
        call,
        text,
      ),
  )

  server.registerTool(
    'upload_file',
    {
      title: 'Upload a file',
      description:
        'Sends a file or a folder of this computer and returns its links, without reading it into the conversation.',
      inputSchema: z.strictObject({
        path: pathSchema(),
        name: z.string().optional().describe('File name for recipients (default: its own name)'),
        ...settingSchemas,
      }),
      outputSchema: uploadResultSchema,
      annotations,
    },
    ({ path, name, ...settings }, call) => {
      const nameOption = name === undefined ? [] : [`--name=${name}`]
      return send(
        { ...settings, paths: [toFilePath(path)], options: [...nameOption, ...commandLineOptions(settings)] },
        call,
      )
    },
  )

  server.registerTool(
    'upload_files',
    {
      title: 'Upload files',
      description: 'Sends files and folders of this computer as one upload and returns its links.',
      inputSchema: z.strictObject({
        paths: z.array(pathSchema()).min(1),
        archive: z.enum(archiveFormats).optional().describe('Send all of them as one archive'),
        ...settingSchemas,
      }),
      outputSchema: uploadResultSchema,
      annotations,
    },
    ({ paths, archive, ...settings }, call) => {
      const archiveOption = archive === undefined ? [] : [`--archive=${archive}`]
      return send(
        {
          ...settings,
          paths: paths.map(toFilePath),
          options: [...archiveOption, ...commandLineOptions(settings)],
        },
        call,
      )
    },
  )
}

const pathSchema = () =>
  z
    .string()
    .min(1)
    .describe('Absolute, or relative to the folder of this server. Nothing outside of it is read')

/** A single hyphen is standard input elsewhere; here it is the name of a file. */
const toFilePath = (path: string) => (path === '-' ? './-' : path)
