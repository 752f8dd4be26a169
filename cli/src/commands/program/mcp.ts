import { defineCommand, type ArgsDef } from 'citty'
import { serverArgsDef } from '../../arguments/common-args.ts'
import type { Commands } from '../../program/command.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  folder: {
    type: 'string',
    valueHint: 'FOLDER',
    description:
      'Folder in which files are read and written, and nowhere else (default: the working directory)',
  },
  overwrite: { type: 'boolean', description: 'Allow downloads to replace files' },
  ...serverArgsDef,
} as const satisfies ArgsDef

export const mcp = (program: Program, commands: Commands) =>
  defineCommand({
    meta: {
      name: 'mcp',
      description:
        'Run an MCP server: upload and download as tools for a language model, over standard input and output',
    },
    args: argsDef,
    async run({ args }) {
      const { serveTools } = await import('../../mcp/serve.ts')
      await serveTools(program, commands, args)
    },
  })
