import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Running, type RunOptions, type RunResult, type Svc } from '../support/svc.ts'

/** One Ctrl-C, or SIGTERM, while svc waits for another program. */
const pipes = ['pipe-1', 'pipe-2', 'pipe-3', 'pipe-4', 'pipe-5']
let server: Svcd
let svc: Svc
let request: string
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await promisify(execFile)(
    'mkfifo',
    pipes.map((name) => svc.path(name)),
  )
  request = ((await svc.json(['request', 'new', 'Reports'])) as { readonly url: string }).url
  await writeFile(svc.path('report'), 'the report')
  // From another home, so that the list of uploads stays empty.
  await svc.run(['send', request, 'report'], { environment: { HOME: svc.path('sender') } })
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const historyLines = async () =>
  (await readFile(svc.path('.local/state/svc/uploads.jsonl'), 'utf8').catch(() => '')).split('\n')

/** Starts svc, waits until it has an upload, and interrupts it once. */
async function interrupt(args: readonly string[], signal: 'SIGINT' | 'SIGTERM', options: RunOptions = {}) {
  const before = (await historyLines()).length
  const running = svc.start(args, options)
  await until('svc has created the upload', async () => (await historyLines()).length > before)
  const [created = ''] = (await historyLines()).slice(before - 1)
  const { status, stderr } = await interruptOnce(running, signal)
  return { status, stderr, id: (JSON.parse(created) as { readonly id: string }).id }
}

/** A process that does not end is killed: its status is null. */
async function interruptOnce({ child, ended }: Running, signal: NodeJS.Signals): Promise<RunResult> {
  child.kill(signal)
  const overdue = setTimeout(() => child.kill('SIGKILL'), 20_000)
  try {
    return await ended
  } finally {
    clearTimeout(overdue)
  }
}

/** Opens a named pipe for writing as soon as it has a reader. */
async function openWhenRead(name: string): Promise<FileHandle> {
  let file: FileHandle | undefined
  await until('svc reads the pipe', async () => {
    file = await open(svc.path(name), constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined)
    return file !== undefined
  })
  if (file === undefined) throw new Error('the pipe is open here')
  return file
}

test.each<[signal: 'SIGINT' | 'SIGTERM', what: string, args: () => readonly string[], options?: RunOptions]>([
  ['SIGINT', 'an upload of a named pipe', () => ['pipe-1']],
  ['SIGTERM', 'an upload of a named pipe', () => ['pipe-1']],
  // More pipes than Node's pool has threads: clean-up needs threads, too.
  ['SIGINT', 'an upload of several named pipes', () => ['--concurrency', '5', ...pipes]],
  ['SIGINT', 'an encrypted upload of a named pipe', () => ['-s', 'pipe-1']],
  ['SIGINT', 'an upload of a zip of a named pipe', () => ['-a', 'zip', 'pipe-1']],
  ['SIGINT', 'sending a named pipe to a request', () => ['send', request, 'pipe-1']],
  ['SIGTERM', 'sending a named pipe to a request', () => ['send', request, 'pipe-1']],
  ['SIGINT', 'an upload of standard input', () => ['-'], { openInput: true }],
  ['SIGTERM', 'sending standard input to a request', () => ['send', request, '-'], { openInput: true }],
])('one %s ends %s, and the upload is removed', async (signal, _what, args, options) => {
  const { status, stderr, id } = await interrupt(args(), signal, options)
  expect({ status, stderr }).toEqual({
    status: 130,
    stderr: expect.stringMatching(/^interrupted$/m) as string,
  })
  await expect(server.client.upload(id)).rejects.toMatchObject({ code: 'upload_not_found' })
  expect(await svc.json(['ls'])).toEqual([])
})

test.each<[what: string, args: () => readonly string[]]>([
  ['file of recipients', () => ['-R', 'pipe-1', 'pipe-2']],
  ['file of private keys', () => ['request', 'get', request, '-i', 'pipe-1']],
])('one Ctrl-C ends a command whose %s is a named pipe', async (_what, args) => {
  const running = svc.start(args())
  const writer = await openWhenRead('pipe-1')
  const { status, stderr } = await interruptOnce(running, 'SIGINT')
  await writer.close()
  expect({ status, stderr }).toEqual({ status: 130, stderr: 'interrupted\n' })
})

test('a second Ctrl-C ends a command whose clean-up waits for the server', async () => {
  const before = (await historyLines()).length
  const { child, ended } = svc.start(['pipe-1'])
  await until('svc has created the upload', async () => (await historyLines()).length > before)
  server.kill('SIGSTOP')
  await until('svc has ended', () => {
    child.kill('SIGINT')
    return child.signalCode !== null || child.exitCode !== null
  })
  await ended
  expect(child.signalCode).toBe('SIGINT')
})
