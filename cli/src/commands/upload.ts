import { defineCommand } from 'citty'
import { printable } from '@svc/terminal'
import { everyValue } from '../arguments/check-arguments.ts'
import { uploadArguments, type GivenUpload } from '../arguments/upload.ts'
import { transferOptions, ttlOption } from '../arguments/values.ts'
import { findTarget, requireServer } from '../config/target.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { canAsk, confirm } from '../interactive/ask.ts'
import { formatOption } from '../arguments/archive-format.ts'
import { archiveOf } from '../upload/archive.ts'
import { collect, nameProblem, type Collected } from '../upload/collect.ts'
import type { Problem } from '../files/item.ts'
import { sendUpload } from '../upload/send-upload.ts'

export const upload = (program: Program) =>
  defineCommand({
    meta: {
      name: 'upload',
      description: 'Send files and print their links. The command name is optional: svc FILE…',
    },
    args: uploadArguments,
    async run({ args: given, rawArgs }) {
      const settings = { ttl: ttlOption(given.ttl), ...transferOptions(given) }
      const recipients = everyValue(uploadArguments, rawArgs, 'recipient')
      const paths = given._.length > 0 ? given._ : await pipedInput(program)
      checkNames(given, paths)
      const format = formatOption(given.archive)
      const found = await findTarget(program, given)
      const collected = await collect(program, paths, format === undefined ? given.name : undefined)
      reportProblems(program, given, collected.problems)
      if (collected.items.length === 0) throw nothingToSend(collected)
      const target = await requireServer(program, found)
      if (failedOf(collected) > 0 && given.yes !== true && canAsk(program))
        await confirmRest(program, collected)
      const items = format === undefined ? collected.items : [archiveOf(collected.items, format, given.name)]
      const failed = failedOf(collected)
      await sendUpload(program, target, { given, settings, recipients, items, failed })
    },
  })

/** Without files, piped input is sent. A terminal as input, or no input, is an error. */
async function pipedInput({ input }: Program): Promise<readonly string[]> {
  const { fstatSync } = await import('node:fs')
  const descriptor = 'fd' in input && typeof input.fd === 'number' ? input.fd : undefined
  const stats = descriptor === undefined ? undefined : fstatSync(descriptor)
  if (stats !== undefined && (stats.isFIFO() || stats.isFile() || stats.isSocket())) return ['-']
  throw usageFailure('no files given: use `svc FILE…`, or `-` for standard input')
}

function checkNames(given: GivenUpload, paths: readonly string[]): void {
  if (given.name !== undefined && given.archive === undefined && paths.length > 1)
    throw usageFailure('--name works with one file only')
  const problem = given.name === undefined ? undefined : nameProblem(given.name)
  if (problem !== undefined) throw usageFailure(`--name: ${problem}`)
  if (paths.filter((path) => path === '-').length > 1)
    throw usageFailure('standard input can be sent only once')
}

const failedOf = ({ problems }: Collected) => problems.filter(({ kind }) => kind === 'failed').length

function reportProblems(program: Program, { quiet }: GivenUpload, problems: readonly Problem[]): void {
  for (const { path, reason, kind } of problems)
    if (kind === 'failed' || quiet !== true) program.printToStderr(`${printable(path)}: ${reason}`)
}

const nothingToSend = (collected: Collected) =>
  new Failure('nothing to send', failedOf(collected) > 0 ? exitCodes.local : exitCodes.usage)

async function confirmRest(program: Program, collected: Collected): Promise<void> {
  const failed = String(failedOf(collected))
  const rest = String(collected.items.length)
  if (!(await confirm(program, `${failed} cannot be sent. Send the other ${rest}?`)))
    throw new Failure('nothing was sent', exitCodes.local)
}
