import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { limits } from '@svc/contract'
import * as z from 'zod'
import { formats } from '../arguments/archive-format.ts'
import { resultOf, runTool, type ToolContext } from './tool.ts'

const options = {
  ttl: z.string().optional().describe('Time to live: 90s, 12h, 30d (default: set by the server)'),
  one_shot: z.boolean().optional().describe('Each file can be downloaded once'),
  downloads: z
    .number()
    .int()
    .min(1)
    .max(limits.maxDownloads)
    .optional()
    .describe('How often each file can be downloaded'),
  removable: z.boolean().optional().describe('Recipients can delete files'),
  password: z.string().optional().describe('Password for downloads; the login is svc'),
  comments: z.string().optional().describe('Comments shown on the page (Markdown)'),
  encrypt: z.boolean().optional().describe('Encrypt before the upload; the key is part of the links'),
  recipients: z
    .array(z.string())
    .optional()
    .describe('Encrypt for these public keys instead: age1…, ssh-ed25519 …, ssh-rsa …, or files of them'),
}
type Options = { readonly [Name in keyof typeof options]?: z.infer<(typeof options)[Name]> }

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
const withoutSecrets = (value: unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => !secrets.includes(name)))

export function addUploadTools(server: McpServer, context: ToolContext): void {
  const send = async (
    line: readonly string[],
    paths: readonly string[],
    signal: AbortSignal,
    input?: string,
  ) =>
    resultOf(
      await runTool(context, ['upload', '--json', '--yes', ...line], paths, {
        signal,
        ...(input !== undefined && { input }),
      }),
      withoutSecrets,
    )

  server.registerTool(
    'upload_text',
    {
      title: 'Upload a text',
      description: 'Sends a text as a file and returns its links. For a file on the disk, use upload_file.',
      inputSchema: {
        text: z.string(),
        name: z.string().optional().describe('File name (default: text.txt)'),
        ...options,
      },
    },
    ({ text, name = 'text.txt', ...given }, { signal }) =>
      send([`--name=${name}`, ...lineOf(given)], ['-'], signal, text),
  )

  server.registerTool(
    'upload_file',
    {
      title: 'Upload a file',
      description:
        'Sends a file or a folder of this computer and returns its links, without reading it into the conversation.',
      inputSchema: {
        path: path(),
        name: z.string().optional().describe('File name for recipients (default: its own name)'),
        ...options,
      },
    },
    ({ path, name, ...given }, { signal }) =>
      send([...(name === undefined ? [] : [`--name=${name}`]), ...lineOf(given)], [file(path)], signal),
  )

  server.registerTool(
    'upload_files',
    {
      title: 'Upload files',
      description: 'Sends files and folders of this computer as one upload and returns its links.',
      inputSchema: {
        paths: z.array(path()).min(1),
        archive: z.enum(formats).optional().describe('Send all of them as one archive'),
        ...options,
      },
    },
    ({ paths, archive, ...given }, { signal }) =>
      send(
        [...(archive === undefined ? [] : [`--archive=${archive}`]), ...lineOf(given)],
        paths.map(file),
        signal,
      ),
  )
}

const path = () =>
  z.string().min(1).describe('Absolute, or relative to the folder in which svc mcp was started')

/** A single hyphen is standard input elsewhere; here it is the name of a file. */
const file = (path: string) => (path === '-' ? './-' : path)
