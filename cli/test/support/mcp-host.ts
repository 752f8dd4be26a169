import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect } from 'vitest'
import type { Svc } from './svc.ts'

/** A host of tools that starts svc as users configure it. */
export interface McpHost {
  readonly client: Client
  /** Errors of the protocol. */
  readonly disturbances: readonly string[]
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<ToolOutcome>
  /** Uploads by a tool, which must not fail. */
  readonly sent: (name: string, args: Record<string, unknown>) => Promise<SentByTool>
}

export interface ToolOutcome {
  readonly failed: boolean
  readonly text: string
}

export interface SentByTool {
  readonly id: string
  readonly url: string
  readonly files: readonly { readonly name: string; readonly url: string }[]
}

/** @param server the value of `SVC_SERVER` */
export async function connectHost(svc: Svc, server: string, ...args: readonly string[]): Promise<McpHost> {
  const client = new Client({ name: 'test', version: '1' })
  const disturbances: string[] = []
  client.onerror = (error) => disturbances.push(error.message)
  const env = { PATH: process.env['PATH'] ?? '', HOME: svc.directory, SVC_SERVER: server }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [svc.program, 'mcp', ...args],
    cwd: svc.directory,
    env,
    stderr: 'inherit',
  })
  await client.connect(transport)
  // The client checks structured content against the schemas of this list.
  await client.listTools()
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    expect(structuredContent === undefined).toBe(isError === true)
    const texts = (content as readonly { readonly text: string }[]).map(({ text }) => text)
    return { failed: isError === true, text: texts.join('\n') }
  }
  return {
    client,
    disturbances,
    call,
    async sent(name, args) {
      const { failed, text } = await call(name, args)
      if (failed) throw new Error(text)
      return JSON.parse(text) as SentByTool
    },
  }
}
