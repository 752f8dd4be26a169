import type { UploadOptions } from '@svc/contract'
import { defineCommand, type ArgsDef, type ParsedArgs } from 'citty'
import { outputArguments, serverArguments } from '../arguments/common.ts'
import { countOption, rateOption, ttlOption } from '../arguments/values.ts'
import { findTarget, requireServer, type Target } from '../config/target.ts'
import { remember } from '../config/history.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, usageFailure } from '../failure.ts'
import { printable, printableJson } from '../output/printable.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { reasonOf } from '../output/reasons.ts'
import { roughSize } from '../output/sizes.ts'
import type { Program } from '../program.ts'
import { connect } from '../server/connect.ts'
import { createLimit } from '../server/limit-rate.ts'
import { createTidying } from '../server/tidy-memory.ts'
import { statusOf } from '../status-of.ts'
import { ask, canAsk, confirm } from '../terminal/ask.ts'
import { archiveOf, formatOption, formats } from '../upload/archive.ts'
import { collect, type Collected } from '../upload/collect.ts'
import type { Item, Trouble } from '../upload/item.ts'
import * as report from '../upload/report.ts'
import { runUpload, type OwnUpload, type Sent } from '../upload/run-upload.ts'

export const uploadArguments = {
  files: {
    type: 'positional',
    required: false,
    valueHint: '…',
    description: 'Files and folders; `-` is standard input',
  },
  oneshot: { type: 'boolean', alias: 'o', description: 'Each file can be downloaded once' },
  removable: { type: 'boolean', alias: 'r', description: 'Whoever has the link may remove files' },
  stream: {
    type: 'boolean',
    alias: 'S',
    description: 'Send straight to whoever downloads; nothing is stored',
  },
  ttl: {
    type: 'string',
    alias: 't',
    valueHint: 'DURATION',
    description: 'Time to live: 90s, 12h, 30d, 1d12h, unlimited',
  },
  'extend-ttl': { type: 'boolean', description: 'Each download starts the time to live anew' },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Protect with a password; `-` asks for it (other users of a machine see arguments)',
  },
  comments: { type: 'string', valueHint: 'TEXT', description: 'Shown on the page; Markdown' },
  name: { type: 'string', alias: 'n', valueHint: 'NAME', description: 'What the only file is called' },
  archive: {
    type: 'string',
    alias: 'a',
    valueHint: 'FORMAT',
    description: `Send all files as one archive: ${formats.join(', ')}`,
  },
  ...serverArguments,
  ...outputArguments,
  yes: { type: 'boolean', alias: 'y', description: 'Do not ask: send what can be sent' },
  concurrency: { type: 'string', valueHint: 'NUMBER', description: 'Files at a time (default: 4)' },
  'limit-rate': { type: 'string', valueHint: 'BYTES', description: 'Bytes a second: 500k, 2MB' },
  retries: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'How often a broken connection is tried again (default: 5)',
  },
} as const satisfies ArgsDef

type Given = ParsedArgs<typeof uploadArguments>

export const upload = (program: Program) =>
  defineCommand({
    meta: {
      name: 'upload',
      description: 'Send files and print their links. The word can be left out: svc FILE…',
    },
    args: uploadArguments,
    async run({ args: given }) {
      const settings = settingsOf(given)
      const paths = given._.length > 0 ? given._ : await pipedInput(program)
      checkNames(given, paths)
      const format = formatOption(given.archive)
      const found = await findTarget(program, given)
      const collected = await collect(program, paths, format === undefined ? given.name : undefined)
      tellTroubles(program, given, collected.troubles)
      if (collected.items.length === 0) throw nothingToSend(collected)
      const target = await requireServer(program, found)
      if (failedOf(collected) > 0 && given.yes !== true && canAsk(program))
        await confirmRest(program, collected)
      const items = format === undefined ? collected.items : [archiveOf(collected.items, format, given.name)]
      await send(program, target, { given, settings, collected: { ...collected, items } })
    },
  })

const settingsOf = (given: Given) => ({
  ttl: ttlOption(given.ttl),
  rate: rateOption(given['limit-rate']),
  concurrency: countOption('concurrency', given.concurrency, { least: 1, most: 64, otherwise: 4 }),
  retries: countOption('retries', given.retries, { least: 0, most: 1000, otherwise: 5 }),
})

/** Without files, what is piped in is sent; a terminal, or nothing at all, is a mistake. */
async function pipedInput({ input }: Program): Promise<readonly string[]> {
  const { fstatSync } = await import('node:fs')
  const descriptor = 'fd' in input && typeof input.fd === 'number' ? input.fd : undefined
  const stats = descriptor === undefined ? undefined : fstatSync(descriptor)
  if (stats !== undefined && (stats.isFIFO() || stats.isFile() || stats.isSocket())) return ['-']
  throw usageFailure('which files? `svc FILE…` sends them, `-` is standard input')
}

function checkNames(given: Given, paths: readonly string[]): void {
  if (given.name !== undefined && given.archive === undefined && paths.length > 1)
    throw usageFailure('--name is for one file; there are several')
  if (paths.filter((path) => path === '-').length > 1) throw usageFailure('standard input can be sent once')
}

const failedOf = ({ troubles }: Collected) => troubles.filter(({ kind }) => kind === 'failed').length

function tellTroubles(program: Program, { quiet }: Given, troubles: readonly Trouble[]): void {
  for (const { path, reason, kind } of troubles)
    if (kind === 'failed' || quiet !== true) program.complain(`${printable(path)}: ${reason}`)
}

const nothingToSend = (collected: Collected) =>
  new Failure('nothing to send', failedOf(collected) > 0 ? exitCodes.local : exitCodes.usage)

async function confirmRest(program: Program, collected: Collected): Promise<void> {
  const failed = String(failedOf(collected))
  const rest = String(collected.items.length)
  if (!(await confirm(program, `${failed} cannot be sent. Send the other ${rest}?`)))
    throw new Failure('nothing was sent', exitCodes.local)
}

/** Login and password of a protected upload. */
async function credentialsOf(program: Program, { password }: Given) {
  if (password === undefined) return {}
  if (password === '-') return { password: await ask(program, 'Password: ', 'hidden') }
  const colon = password.indexOf(':')
  if (colon <= 0) return { password: password.slice(colon + 1) }
  return { login: password.slice(0, colon), password: password.slice(colon + 1) }
}

interface Plan {
  readonly given: Given
  readonly settings: ReturnType<typeof settingsOf>
  readonly collected: Collected
}

async function send(program: Program, target: Target & { readonly server: string }, plan: Plan) {
  const { given, settings, collected } = plan
  const { profile } = target
  const credentials = await credentialsOf(program, given)
  const ttl = settings.ttl ?? ttlOption(profile.ttl)
  const options: UploadOptions = {
    ...credentials,
    ...(ttl !== undefined && { ttl }),
    ...present('oneShot', given.oneshot ?? profile.oneshot),
    ...present('removable', given.removable ?? profile.removable),
    ...present('stream', given.stream),
    ...present('extend_ttl', given['extend-ttl']),
    ...(given.comments !== undefined && { comments: given.comments }),
  }
  const client = connect(program, target, target.server, { patient: given.stream === true })
  const tidy = createTidying()
  const progress = createProgress(program, {
    total: totalOf(collected.items),
    quiet: given.quiet === true || given.json === true,
  })
  const answer = (upload: OwnUpload, sent: readonly Sent[]) => {
    printReport(program, given, { client, upload, sent, login: credentials.login })
  }
  try {
    const { upload, sent } = await runUpload(options, collected.items, {
      client,
      concurrency: settings.concurrency,
      limit: createLimit(program.clock, settings.rate),
      signal: program.interrupted,
      retrying: {
        clock: program.clock,
        signal: program.interrupted,
        retries: settings.retries,
        onPause: (error, seconds) => {
          progress.warn(`${reasonOf(error)}; trying again in ${String(seconds)} s`)
        },
      },
      onBytes: (bytes) => {
        progress.add(bytes)
        tidy(bytes)
      },
      // Whoever sends a stream needs the link before anybody can fetch it.
      onCreated: (created) => {
        if (created.stream) answer(created, declared(created, collected.items))
      },
      onSent: (result) => {
        tellSent(progress, result)
      },
    })
    progress.end()
    await rememberUpload(program, target.server, upload, sent)
    if (!upload.stream && sent.some(({ error }) => error === undefined)) answer(upload, sent)
    program.fail(statusFor(collected, sent))
  } finally {
    progress.end()
  }
}

const present = <Name extends string>(name: Name, value: boolean | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, boolean>>

function totalOf(items: readonly Item[]): number | undefined {
  const sizes = items.map(({ size }) => size)
  return sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0)
}

const declared = (upload: OwnUpload, items: readonly Item[]): Sent[] =>
  upload.files.flatMap((file) => {
    const item = items[Number(file.reference)]
    return item === undefined ? [] : [{ item, file }]
  })

function tellSent(progress: Progress, { item, file, error }: Sent): void {
  const name = printable(item.name)
  if (error === undefined) progress.tell(`sent ${name} (${roughSize(file.fileSize)})`)
  else progress.warn(`${name}: ${printable(reasonOf(error))}`)
}

function printReport(program: Program, given: Given, of: report.Report): void {
  if (given.json === true) program.print(printableJson(report.value(of)))
  else for (const line of given.quiet === true ? report.links(of) : report.lines(of)) program.print(line)
}

async function rememberUpload(
  program: Program,
  server: string,
  upload: OwnUpload,
  sent: readonly Sent[],
): Promise<void> {
  const good = sent.filter(({ error }) => error === undefined)
  if (good.length === 0 || upload.stream) return
  await remember(program, {
    server,
    id: upload.id,
    uploadToken: upload.uploadToken,
    createdAt: upload.createdAt,
    expireAt: upload.expireAt,
    names: good.map(({ item }) => item.name),
    files: good.length,
    size: good.reduce((sum, { file }) => sum + file.fileSize, 0),
  })
}

function statusFor(collected: Collected, sent: readonly Sent[]): number {
  const bad = sent.filter(({ error }) => error !== undefined)
  if (bad.length === 0 && failedOf(collected) === 0) return exitCodes.done
  if (bad.length < sent.length) return exitCodes.partly
  return statusOf(bad[0]?.error)
}
