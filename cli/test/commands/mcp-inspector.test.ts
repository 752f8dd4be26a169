import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkersSkipReason, inspector } from '../../../scripts/tests/checkers.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { startTestServer, type TestServer } from '../../../server/test/support/servers/test-server.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** The exit status of the Inspector for a call whose result is an error. */
const toolFailed = 5

interface Inspected {
  readonly status: number
  /** The result of the method. */
  readonly result: Readonly<Record<string, unknown>>
  readonly stderr: string
}

describeUnless(checkersSkipReason, 'the MCP Inspector', () => {
  let server: TestServer
  let svc: Svc
  beforeAll(async () => {
    server = await startTestServer()
    svc = await installSvc(server.url)
  })
  afterAll(() => Promise.all([server.close(), svc.close()]))

  /** Runs a method of svc mcp as the Inspector does. */
  function inspect(method: string, ...options: readonly string[]): Promise<Inspected> {
    const program = [process.execPath, svc.program, 'mcp', '--folder', svc.directory]
    const args = [inspector, '--cli', '-e', `SVC_SERVER=${server.url}`, ...program, '--method', method]
    const format = ['--format', 'json', '--connect-timeout', '0']
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [...args, ...options, ...format],
        { env: svc.environment },
        (error, stdout, stderr) => {
          if (stdout === '') reject(new Error(stderr, { cause: error }))
          else {
            const { result } = JSON.parse(stdout) as Pick<Inspected, 'result'>
            resolve({ status: error === null ? 0 : Number(error.code), result, stderr })
          }
        },
      )
    })
  }

  const call = (name: string, args: object) =>
    inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))

  /** The structured result of a call that succeeds. */
  async function resultOf(name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
    const { status, result, stderr } = await call(name, args)
    expect([status, stderr]).toEqual([0, ''])
    return result['structuredContent'] as Readonly<Record<string, unknown>>
  }

  test('finds five tools, whose schemas are portable, and neither resources nor prompts', async () => {
    const [tools, resources, prompts] = await Promise.all([
      inspect('tools/list', '--strict'),
      inspect('resources/list'),
      inspect('prompts/list'),
    ])
    expect([tools.status, tools.stderr]).toEqual([0, ''])
    expect(tools.result['tools']).toHaveLength(5)
    expect([resources.result, prompts.result]).toEqual([{ resources: [] }, { prompts: [] }])
  })

  test('calls each tool', async () => {
    await Promise.all(['a.txt', 'b.txt'].map((name) => writeFile(svc.path(name), name)))
    const [info, text, file, files] = await Promise.all([
      resultOf('server_info', {}),
      resultOf('upload_text', { text: 'grüße', name: 'text.txt', ttl: '1h' }),
      resultOf('upload_file', { path: 'a.txt' }),
      resultOf('upload_files', { paths: ['a.txt', 'b.txt'] }),
    ])
    expect(info).toMatchObject({ server: server.url, folder: svc.directory })
    expect(file).toMatchObject({ files: [{ name: 'a.txt', size: 5, status: 'uploaded' }] })
    expect(files).toMatchObject({ files: [{ name: 'a.txt' }, { name: 'b.txt' }] })
    const link = text['url']
    expect(await resultOf('download', { link, folder: 'got' })).toMatchObject({
      files: [{ name: 'text.txt', status: 'downloaded' }],
    })
    expect(await readFile(svc.path('got/text.txt'), 'utf8')).toBe('grüße')
    expect(await resultOf('download', { link, return_text: true })).toEqual({ text: 'grüße' })
  })

  test('receives an error of the tool for a path outside of the folder, and for an invalid argument', async () => {
    const [outside, invalid] = await Promise.all([
      call('upload_file', { path: '../other.txt' }),
      call('upload_files', { paths: [] }),
    ])
    expect([outside.status, invalid.status]).toEqual([toolFailed, toolFailed])
    expect(outside.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('outside') as string }],
    })
    expect(invalid.result).toMatchObject({ isError: true })
  })
})
